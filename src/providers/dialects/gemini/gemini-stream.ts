import { type NeutralBlock } from '../../../contract/neutral.js';
import { parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { AnswerReader, type WireAnswer } from './gemini-answer.js';
import { geminiErrorIn } from './gemini-errors.js';
import { type Piece } from './gemini-pieces.js';
import { tellsOutput } from './gemini-usage.js';
import {
  finalCounts,
  messageError,
  messageEvent,
  messageStart,
  usageReport,
} from '../message-events.js';
import { unbroken } from '../unbroken.js';

/**
 * The chunks of `streamGenerateContent` as Anthropic's stream events. `message_start` carries our
 * estimate of the input; `message_delta` the provider's own counts, and no `usage` when there were
 * none. https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 *
 * @throws GatewayError 502 when the stream ends without a finish reason or is not JSON.
 */
export async function* eventsOfAnswers(
  events: AsyncIterable<ServerEvent>,
  call: CallContext<'messages'>,
): AsyncGenerator<ServerEvent> {
  const answer = new AnswerReader(call);
  const blocks = new BlockWriter();
  let isStarted = false;
  let isOutdated = false;
  for await (const { data } of unbroken(events, () => answer.isOver)) {
    const text = data.trim();
    if (text === '') continue;
    if (text === '[DONE]') break;
    const chunk = parsedObject(text) as WireAnswer | undefined;
    if (!chunk) throw brokenAnswer('The provider sent a chunk that is no JSON object.');
    if (chunk.error) {
      yield messageError(geminiErrorIn(chunk));
      return;
    }
    const pieces = [...answer.take(chunk)];
    // Counts alone, and a judgement on the prompt, begin nothing.
    if (!isStarted && (pieces.length > 0 || answer.isOver)) {
      yield messageStart(call);
      isStarted = true;
    }
    const usage = answer.usage();
    if (usage) yield usageReport(usage);
    for (const piece of pieces) yield* blocks.write(piece);
    isOutdated = (isOutdated || pieces.length > 0) && !tellsOutput(chunk.usageMetadata);
  }
  if (!answer.isOver) throw brokenAnswer(BROKEN_OFF);
  for (const piece of answer.end()) yield* blocks.write(piece);
  yield* blocks.end();
  const counts = answer.neutralUsage();
  yield messageEvent('message_delta', {
    delta: answer.stop(),
    usage: counts && finalCounts(counts, { isOutdated }),
  });
  yield messageEvent('message_stop');
}

/** Writes pieces as content blocks, one open at a time. */
class BlockWriter {
  private index = -1;
  private open: 'text' | 'thinking' | undefined;

  *write(piece: Piece): Generator<ServerEvent> {
    switch (piece.kind) {
      case 'text':
        yield* this.begin('text', { type: 'text', text: '' });
        yield this.delta({ type: 'text_delta', text: piece.text });
        break;
      case 'thinking':
        yield* this.beginThinking();
        yield this.delta({ type: 'thinking_delta', thinking: piece.text });
        break;
      case 'signature':
        yield* this.beginThinking();
        yield this.delta({ type: 'signature_delta', signature: piece.signature });
        yield* this.end();
        break;
      case 'citation':
        if (this.open !== 'text') break;
        yield this.delta({ type: 'citations_delta', citation: piece.citation });
        break;
      case 'block':
        yield* this.whole(piece.block);
    }
  }

  *end(): Generator<ServerEvent> {
    if (!this.open) return;
    this.open = undefined;
    yield messageEvent('content_block_stop', { index: this.index });
  }

  private *beginThinking(): Generator<ServerEvent> {
    yield* this.begin('thinking', { type: 'thinking', thinking: '', signature: '' });
  }

  private *begin(kind: 'text' | 'thinking', content_block: object): Generator<ServerEvent> {
    if (this.open === kind) return;
    yield* this.end();
    yield this.start(content_block);
    this.open = kind;
  }

  /** The input of a call goes out as a delta, as SDKs expect; other blocks are whole at once. */
  private *whole(block: NeutralBlock): Generator<ServerEvent> {
    yield* this.end();
    const isCall = block.type === 'tool_use' || block.type === 'server_tool_use';
    yield this.start(isCall ? { ...block, input: {} } : block);
    const partial_json = isCall ? JSON.stringify(block.input) : '{}';
    if (partial_json !== '{}') yield this.delta({ type: 'input_json_delta', partial_json });
    yield messageEvent('content_block_stop', { index: this.index });
  }

  private start(content_block: object): ServerEvent {
    this.index++;
    return messageEvent('content_block_start', { index: this.index, content_block });
  }

  private delta(delta: object): ServerEvent {
    return messageEvent('content_block_delta', { index: this.index, delta });
  }
}
