import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText, listOf } from '../../../json/values.js';
import { type WireMessage } from './openai-chat-reading.js';
import { type Detail, type Origin, proofOf } from './openai-chat-thinking.js';

/** What the model said, thought or drew: a part of a block, or a whole one. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly origin: Origin }
  | { readonly kind: 'whole'; readonly block: NeutralBlock };

/**
 * Thinking, then text, then a refusal and pictures, as far as there are any. `reasoning_content` and
 * `reasoning` are what compatible servers call the thinking, and Mistral sends parts of both kinds:
 * https://api-docs.deepseek.com/guides/reasoning_model, https://docs.mistral.ai/capabilities/reasoning
 *
 * @param issuer the provider's name where it wants its thinking back: then the details that prove it
 * are read before the plain text, which they repeat.
 */
export function* piecesIn(
  message: WireMessage | null | undefined,
  issuer: string | undefined,
): Generator<Piece> {
  const { content, refusal, images } = message ?? {};
  yield* thinkingIn(message ?? {}, issuer);
  yield* spoken(content);
  for (const part of listOf(content) as (WirePart | null)[]) {
    if (part?.type === 'text') yield* spoken(part.text);
    const inner = part?.thinking;
    yield* thought(inner, 'content');
    for (const piece of listOf(inner) as (WirePart | null)[])
      yield* thought(piece?.text, 'content');
  }
  yield* spoken(refusal);
  for (const image of listOf(images) as (WireImage | null)[]) yield* drawn(image?.image_url?.url);
}

function* thinkingIn(message: WireMessage, issuer: string | undefined): Generator<Piece> {
  const { reasoning_content, reasoning } = message;
  const details = listOf(message.reasoning_details).filter((detail) => !!detail) as WireDetail[];
  const isPlain = isText(reasoning_content) || isText(reasoning);
  const isTold = details.some(({ text, summary }) => isText(text) || isText(summary));
  if (isPlain && !(issuer !== undefined && isTold)) {
    yield* isText(reasoning_content)
      ? thought(reasoning_content, 'reasoning_content')
      : thought(reasoning, 'reasoning');
  }
  for (const { text, summary, ...detail } of details) {
    const said = isText(text) ? text : summary;
    if (detail.type === 'reasoning.encrypted') {
      if (issuer === undefined) continue;
      const block = { type: 'redacted_thinking', data: proofOf(issuer, detail) };
      yield { kind: 'whole', block };
    } else if (issuer !== undefined) {
      // A signature comes behind its text, in a piece of its own.
      const isProof = isText(detail.signature) || isText(said);
      if (isProof) yield { kind: 'thinking', text: isText(said) ? said : '', origin: detail };
    } else if (!isPlain) yield* thought(said, 'reasoning');
  }
}

function* spoken(text: unknown): Generator<Piece> {
  if (isText(text)) yield { kind: 'text', text };
}

function* thought(text: unknown, origin: Origin): Generator<Piece> {
  if (isText(text)) yield { kind: 'thinking', text, origin };
}

/** https://openrouter.ai/docs/features/multimodal/image-generation */
function* drawn(url: unknown): Generator<Piece> {
  if (!isText(url)) return;
  const [, media_type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type, data };
  yield { kind: 'whole', block: { type: 'image', source } };
}

interface WirePart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

interface WireDetail extends Detail {
  readonly text?: unknown;
  readonly summary?: unknown;
}

interface WireImage {
  readonly image_url?: { readonly url?: unknown } | null;
}
