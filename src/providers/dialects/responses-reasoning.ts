import { marked, provedBy } from './issued.js';

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
  return typeof encrypted === 'string' && encrypted !== '' ? marked(ISSUER, encrypted) : '';
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
  const isShown = typeof summary === 'string' && summary !== '';
  const shown = isShown ? [{ type: 'summary_text', text: summary }] : [];
  return { type: 'reasoning', summary: shown, encrypted_content };
}
