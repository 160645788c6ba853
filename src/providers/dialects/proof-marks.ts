import { isText } from '../../json/values.js';

/**
 * Proofs of thinking (signatures, encrypted reasoning) mean something to their issuer alone. One
 * that another than Anthropic issued is marked on its way to the caller, in a block's `signature` or
 * `data`; on the way back a codec takes those with its own mark and leaves out all others. What
 * bears no mark was issued by Anthropic, whose proofs are the same on its own API, Bedrock and
 * Vertex: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
const MARK = 'cw1.';

/** The proof as the caller sees it; `issuer` is a word such as `gemini`. */
export function marked(issuer: string, proof: string): string {
  return `${MARK}${issuer}.${proof}`;
}

/** The proof as its issuer gave it; undefined when it is nobody's or another's. */
export function provedBy(issuer: string, signature: unknown): string | undefined {
  const prefix = marked(issuer, '');
  if (typeof signature !== 'string' || !signature.startsWith(prefix)) return undefined;
  return signature.slice(prefix.length) || undefined;
}

/** Whether a signature is Anthropic's own; an empty one is that of a model which signs nothing. */
export function isAnthropics(signature: unknown): boolean {
  return isText(signature) && !signature.startsWith(MARK);
}

/** Whether another than Anthropic issued the proof, and the gateway marked it. */
export function isMarked(proof: unknown): boolean {
  return isText(proof) && proof.startsWith(MARK);
}
