import { isText } from '../../json/values.js';
import { isAnthropics, marked, provedBy } from './proof-marks.js';

/** https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items */
const ISSUER = 'openai';

/** What a request has to `include` to get reasoning that can come back without being stored. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** A reasoning item's content as a thinking block's signature; empty where nothing is encrypted. */
export function reasoningSignature({
  encrypted_content: encrypted,
}: {
  readonly encrypted_content?: unknown;
}): string {
  return isText(encrypted) ? marked(ISSUER, encrypted) : '';
}

/**
 * An input as OpenAI may read it: reasoning that another model proved, which this gateway marked on
 * its way out, is left out, and OpenAI's own gets its mark off. Undefined where nothing is marked.
 */
export function ownReasoningOnly(input: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const items = input as readonly ({ readonly encrypted_content?: unknown } | null)[];
  if (!items.some((item) => isMarked(item?.encrypted_content))) return undefined;
  return items.flatMap((item) => {
    const proof = item?.encrypted_content;
    if (!isMarked(proof)) return [item];
    const encrypted_content = provedBy(ISSUER, provedBy('thinking', proof));
    if (encrypted_content === undefined) return [];
    const { id: _id, ...rest } = item as { readonly id?: unknown };
    return [{ ...rest, encrypted_content }];
  });
}

function isMarked(proof: unknown): boolean {
  return isText(proof) && !isAnthropics(proof);
}

/**
 * A reasoning item from a thinking block; undefined when it is not OpenAI's. Its id is left out: with
 * one, OpenAI refuses the item unless the very item that followed it follows again.
 */
export function reasoningItem(
  signature: unknown,
  summary: unknown,
): Readonly<Record<string, unknown>> | undefined {
  const encrypted_content = provedBy(ISSUER, signature);
  if (encrypted_content === undefined) return undefined;
  const isShown = isText(summary);
  const shown = isShown ? [{ type: 'summary_text', text: summary }] : [];
  return { type: 'reasoning', summary: shown, encrypted_content };
}
