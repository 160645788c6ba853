import { type NeutralBlock } from '../contract/neutral.js';
import { type Fields, isObject, textOf } from '../json/values.js';
import { marked } from '../providers/dialects/proof-marks.js';
import { reasoningSignature } from '../providers/dialects/responses/responses-reasoning.js';

/** What a reasoning item says beside its id. */
export interface ReasoningText {
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly encrypted_content: string;
}

/**
 * A block of thinking as a reasoning item says it. The text is the summary; what proves it goes out
 * as `encrypted_content`, marked as ours, so that a caller who sends the item back brings the proof,
 * whichever provider issued it.
 */
export function reasoningOf({ type, thinking, signature, data }: NeutralBlock): ReasoningText {
  if (type === 'redacted_thinking') {
    return { summary: [], encrypted_content: REDACTED + textOf(data) };
  }
  const text = textOf(thinking);
  return {
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    // Clients leave out reasoning that has no encrypted content, so there is always some.
    encrypted_content: THINKING + textOf(signature),
  };
}

/**
 * The block that a reasoning item stands for; undefined when there is nothing in it. What bears no
 * mark of ours was issued by OpenAI itself, and means nothing to others.
 */
export function thinkingOf(item: Fields): NeutralBlock | undefined {
  const thinking = joined(item.summary) || joined(item.content);
  const proof = textOf(item.encrypted_content);
  if (proof.startsWith(REDACTED)) {
    return { type: 'redacted_thinking', data: proof.slice(REDACTED.length) };
  }
  const isOurs = proof.startsWith(THINKING);
  const signature = isOurs ? proof.slice(THINKING.length) : reasoningSignature(item, 'openai');
  if (thinking === '' && signature === '') return undefined;
  return { type: 'thinking', thinking, signature };
}

const THINKING = marked('thinking', '');
const REDACTED = marked('redacted', '');

/** The parts of a summary are paragraphs. */
function joined(parts: unknown): string {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  return list.map((part) => (isObject(part) ? textOf(part.text) : '')).join('\n\n');
}
