import { type NeutralBlock } from '../../../contract/neutral.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../../provider.js';
import { brokenAnswer } from '../broken-answer.js';
import { AnswerReader, type WireAnswer } from './gemini-answer.js';
import { geminiErrorIn } from './gemini-errors.js';
import { type Piece } from './gemini-pieces.js';
import { neutralMessage } from '../neutral-answer.js';
import { replyObject } from '../reply-object.js';

/**
 * A whole answer of `generateContent` as a message. A blocked prompt is a message without content.
 * https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfAnswer(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
): Decoded<'messages'> {
  const body = replyObject(reply) as WireAnswer;
  const answer = new AnswerReader(call);
  const content = contentOf([...answer.take(body), ...answer.end()]);
  if (!answer.isAnswered) {
    throw brokenAnswer(
      geminiErrorIn(body)?.message ?? 'The provider did not answer with a message.',
    );
  }
  const stop = answer.stop();
  const result = neutralMessage(call, { content, stop, usage: answer.neutralUsage() });
  return { result, usage: answer.usage() };
}

function contentOf(pieces: readonly Piece[]): NeutralBlock[] {
  const content: Draft[] = [];
  for (const piece of pieces) {
    const last = content.at(-1);
    switch (piece.kind) {
      case 'text':
        if (last?.type === 'text') last.text = `${last.text ?? ''}${piece.text}`;
        else content.push({ type: 'text', text: piece.text });
        break;
      case 'thinking':
        if (last?.type === 'thinking' && !last.signature) {
          last.thinking = `${last.thinking ?? ''}${piece.text}`;
        } else content.push({ type: 'thinking', thinking: piece.text, signature: '' });
        break;
      case 'signature':
        if (last?.type === 'thinking' && !last.signature) last.signature = piece.signature;
        else content.push({ type: 'thinking', thinking: '', signature: piece.signature });
        break;
      case 'citation':
        if (last?.type === 'text') last.citations = [...(last.citations ?? []), piece.citation];
        break;
      case 'block':
        content.push({ ...piece.block });
    }
  }
  return content as NeutralBlock[];
}

/** A block that grows. */
interface Draft {
  readonly type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  citations?: readonly NeutralBlock[];
}
