import { isSameList, isText, listOf, membersOf } from '../../../json/values.js';
import { type RelayContext } from '../../provider.js';
import { isMarked, marked, provedBy } from '../proof-marks.js';
import { isOfProvider, isSubstitute } from '../substitute-model.js';

/** What a request has to `include` to get reasoning that can come back without being stored. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/**
 * A reasoning item's content as a thinking block's signature; empty where nothing is encrypted.
 * https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
 *
 * @param issuer the provider: Azure cannot read what OpenAI encrypted, nor the other way round.
 */
export function reasoningSignature(
  { encrypted_content: encrypted }: { readonly encrypted_content?: unknown },
  issuer: string,
): string {
  return isText(encrypted) ? marked(issuer, encrypted) : '';
}

/**
 * The `encrypted_content` of a relayed item of reasoning as its caller sees it who named a model of another
 * provider: marked as a translated one is, because it comes back to the named one, which would refuse it:
 * "The encrypted content could not be verified." Undefined for what stays as it is.
 * https://github.com/openai/codex/issues/3573
 */
export function markedReasoning(
  item: unknown,
  { body, model }: Pick<RelayContext, 'body' | 'model'>,
): string | undefined {
  const { type, encrypted_content: encrypted } = membersOf(item);
  const isOthers = isSubstitute(body.model, model) && !isOfProvider(body.model, model.provider);
  if (!isOthers || type !== 'reasoning' || !isText(encrypted) || isMarked(encrypted)) {
    return undefined;
  }
  return marked('thinking', marked(model.provider, encrypted));
}

/** All items of an answer with their marks; undefined where there is nothing to mark. */
export function markedOutput(
  output: unknown,
  call: Pick<RelayContext, 'body' | 'model'>,
): readonly unknown[] | undefined {
  const items = listOf(output);
  const told = items.map((item) => {
    const encrypted_content = markedReasoning(item, call);
    return encrypted_content === undefined ? item : { ...membersOf(item), encrypted_content };
  });
  return isSameList(told, items) ? undefined : told;
}

/**
 * An input as its reader may have it: reasoning that another one proved, which this gateway marked on
 * its way out, is left out, and the reader's own gets its marks off. Undefined where nothing is marked.
 */
export function ownReasoningOnly(input: unknown, issuer: string): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const items = input as readonly ({ readonly encrypted_content?: unknown } | null)[];
  if (!items.some((item) => isMarked(item?.encrypted_content))) return undefined;
  return items.flatMap((item) => {
    const proof = item?.encrypted_content;
    if (!isMarked(proof)) return [item];
    const block = provedBy('thinking', proof) ?? provedBy('redacted', proof);
    const encrypted_content = provedBy(issuer, block);
    if (encrypted_content === undefined) return [];
    const { id: _id, ...rest } = item as { readonly id?: unknown };
    return [{ ...rest, encrypted_content }];
  });
}

/**
 * A reasoning item from a thinking block; undefined when it is not the issuer's. Its id is left out: with
 * one, OpenAI refuses the item unless the very item that followed it follows again.
 */
export function reasoningItem(
  signature: unknown,
  summary: unknown,
  issuer: string,
): Readonly<Record<string, unknown>> | undefined {
  const encrypted_content = provedBy(issuer, signature);
  if (encrypted_content === undefined) return undefined;
  const isShown = isText(summary);
  const shown = isShown ? [{ type: 'summary_text', text: summary }] : [];
  return { type: 'reasoning', summary: shown, encrypted_content };
}
