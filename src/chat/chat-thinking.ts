import { type NeutralBlock } from '../contract/neutral.js';
import { objectsIn, type Placed } from '../http/request-fields.js';
import { isObject, isText } from '../json/values.js';

/**
 * Thinking as chat completions carry it: the text alone in `reasoning_content`, and each block with
 * its proof in `reasoning_details`, so that a caller who sends them back loses nothing.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
export type ReasoningDetail = {
  readonly format: typeof FORMAT;
  /** The place of the block among those that come back: thinking, the text, tool calls. */
  readonly index: number;
} & (
  | { readonly type: 'reasoning.text'; readonly text: string; readonly signature?: string }
  | { readonly type: 'reasoning.encrypted'; readonly data: string }
);

/** The name of proofs in Anthropic's form, which all are in the neutral shape. */
const FORMAT = 'anthropic-claude-v1';

/**
 * Thinking of the neutral shape as one of `reasoning_details`, with the proof that its model wants
 * back.
 */
export function thoughtDetail(index: number, text: string, signature?: string): ReasoningDetail {
  const proof = signature ? { signature } : {};
  return { type: 'reasoning.text', text, ...proof, format: FORMAT, index };
}

/** Thinking that nobody may read, the same way. */
export function encryptedDetail(index: number, data: string): ReasoningDetail {
  return { type: 'reasoning.encrypted', data, format: FORMAT, index };
}

/** A thinking block of an earlier turn, and its place among the turn's blocks. */
export interface Thought {
  readonly block: NeutralBlock;
  readonly index: number;
}

/**
 * The thinking of an assistant message, in whichever of the usual forms it comes: our own
 * `reasoning_details`, also in the pieces of a stream; LiteLLM's `thinking_blocks`; or text alone,
 * which proves nothing. Proofs of another format than Anthropic's are left out: nobody here can read
 * them.
 */
export function thoughts(message: Placed): Thought[] {
  const details = merged(objectsIn(message, 'reasoning_details'));
  if (details.length > 0) return details;
  const blocks = objectsIn(message, 'thinking_blocks').map(({ fields }) => fields as NeutralBlock);
  if (blocks.length > 0) return blocks.map((block, index) => ({ block, index }));
  const { reasoning_content: content, reasoning } = message.fields;
  const text = isText(content) ? content : reasoning;
  return isText(text) ? [{ block: thinking(text, ''), index: 0 }] : [];
}

/** A `thinking` part of a content: Anthropic's with its signature, or Mistral's with parts inside. */
export function thinkingPart({ fields }: Placed): NeutralBlock {
  const { thinking: inner, signature } = fields;
  const pieces: readonly unknown[] = Array.isArray(inner) ? inner : [{ text: inner }];
  const texts = pieces.map((piece) => (isObject(piece) && isText(piece.text) ? piece.text : ''));
  return thinking(texts.join(''), isText(signature) ? signature : '');
}

/** Pieces of one block follow each other under one index, the signature last. */
function merged(details: readonly Placed[]): Thought[] {
  const pieces: Piece[] = [];
  for (const { fields } of details) {
    const { type, text, data, index, signature, format } = fields;
    const isReadable = format === undefined || format === null || format === FORMAT;
    if (type === 'reasoning.encrypted' && isReadable && isText(data)) {
      pieces.push({ text: '', signature: '', data, index });
    }
    if (type !== 'reasoning.text') continue;
    const last = pieces.at(-1);
    const isOpen = last?.data === undefined && last?.signature === '' && last.index === index;
    const piece = isOpen ? last : { text: '', signature: '', index };
    if (!isOpen) pieces.push(piece);
    if (isText(text)) piece.text += text;
    if (isReadable && isText(signature)) piece.signature = signature;
  }
  return pieces.flatMap(({ text, signature, data, index }, at) => {
    const place = typeof index === 'number' ? index : at;
    if (data !== undefined) return [{ block: { type: 'redacted_thinking', data }, index: place }];
    if (text === '' && signature === '') return [];
    return [{ block: thinking(text, signature), index: place }];
  });
}

interface Piece {
  text: string;
  signature: string;
  readonly data?: string;
  readonly index: unknown;
}

function thinking(text: string, signature: string): NeutralBlock {
  return { type: 'thinking', thinking: text, signature };
}
