import { type NeutralBlock } from '../../../contract/neutral.js';
import { marked, provedBy } from '../proof-marks.js';

/**
 * Gemini signs parts of any kind, Anthropic's shape only thinking. A signature therefore travels in a
 * thinking block, and its mark says which part it belongs to.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export type Proof =
  | { readonly signed: 'call'; readonly id: string; readonly signature: string }
  /** `next`: the part behind the block; `thought`: the block itself; `empty`: a text part without text. */
  | { readonly signed: 'next' | 'thought' | 'empty'; readonly signature: string };

/** What Google documents for calls that another model made, which Gemini 3 would refuse unsigned. */
export const UNCHECKED_SIGNATURE = 'skip_thought_signature_validator';

/** The proof as the caller sees it, in a block's `signature`. */
export function markedProof(proof: Proof): string {
  // A call is named, because not every client keeps its blocks in their order.
  const named = proof.signed === 'call' ? `${proof.id}:${proof.signature}` : proof.signature;
  return marked(ISSUERS[proof.signed], named);
}

/** The proof in a thinking block; undefined when it is nobody's or another vendor's. */
export function proofIn({ type, signature, data }: NeutralBlock): Proof | undefined {
  const given = type === 'redacted_thinking' ? data : signature;
  for (const signed of ['next', 'thought', 'empty'] as const) {
    const proved = provedBy(ISSUERS[signed], given);
    if (proved !== undefined) return { signed, signature: proved };
  }
  const named = provedBy(ISSUERS.call, given);
  const colon = named?.lastIndexOf(':') ?? -1;
  if (named === undefined || colon < 0) return undefined;
  return { signed: 'call', id: named.slice(0, colon), signature: named.slice(colon + 1) };
}

const ISSUERS: Readonly<Record<Proof['signed'], string>> = {
  call: 'gemini-call',
  next: 'gemini',
  thought: 'gemini-thought',
  empty: 'gemini-empty',
};
