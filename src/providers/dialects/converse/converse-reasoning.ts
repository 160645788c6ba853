import { type NeutralBlock } from '../../../contract/neutral.js';
import { type Model } from '../../../contract/model.js';
import { namesClaude } from './bedrock-model.js';
import { type Placed, stringOf } from '../placed-blocks.js';
import { isAnthropics, marked, provedBy } from '../proof-marks.js';

/**
 * Thinking of an earlier turn as its model wants it back; nothing for thinking that another issued or
 * that bears no signature, which some models refuse. A Claude's signatures are Anthropic's own.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html
 */
export function reasoningBlock(place: Placed, model: Model): object[] {
  const { type, signature, data } = place.block;
  const proof = issuedHere(type === 'thinking' ? signature : data, model);
  if (proof === undefined) return [];
  if (type === 'redacted_thinking') {
    const redactedContent = namesClaude(model.name) ? Buffer.from(proof).toString('base64') : proof;
    return [{ reasoningContent: { redactedContent } }];
  }
  const text = stringOf(place, 'thinking');
  return [{ reasoningContent: { reasoningText: { text, signature: proof } } }];
}

/** The signature as the caller sees it; SDKs want the field. */
export function callersSignature(signature: unknown, { name }: Model): string {
  if (typeof signature !== 'string' || signature === '') return '';
  return namesClaude(name) ? signature : marked('converse', signature);
}

/** `bytes` is base64, also of a Claude's data, which is text already. */
export function redactedThinking(bytes: string, { name }: Model): NeutralBlock {
  const data = namesClaude(name)
    ? Buffer.from(bytes, 'base64').toString()
    : marked('converse', bytes);
  return { type: 'redacted_thinking', data };
}

function issuedHere(proof: unknown, { name }: Model): string | undefined {
  if (!namesClaude(name)) return provedBy('converse', proof);
  return isAnthropics(proof) ? (proof as string) : undefined;
}
