import { listOf, parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import {
  finalCounts,
  messageError,
  messageEvent,
  messageStart,
  usageReport,
} from '../message-events.js';
import { citationsIn, pagesBeside, type Sources } from './openai-chat-annotations.js';
import { beginsAnswer } from './openai-chat-opener.js';
import { piecesIn } from './openai-chat-pieces.js';
import { ChatBlockQueue } from './openai-chat-queue.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { callsIn, type WireMessage } from './openai-chat-reading.js';
import { type Ending, stopOf } from './openai-chat-stop.js';
import { failureIn, type MayFail } from './openai-chat-error.js';
import { chatUsage, messageUsage, usageInChunk } from './openai-chat-usage.js';
import { errorIn } from '../provider-error.js';
import { inItsTier } from '../service-tier.js';
import { unbroken } from '../unbroken.js';

/**
 * The chunks of a chat completion as Anthropic's stream events. `message_start` carries our estimate
 * of the input; `message_delta` the provider's own counts, and no `usage` when there were none.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 *
 * @throws GatewayError 502 when the stream ends without a finish reason or is not JSON.
 */
export async function* eventsOfChunks(
  events: AsyncIterable<ServerEvent>,
  call: CallContext<'messages'>,
  quirks: ChatQuirks = {},
): AsyncGenerator<ServerEvent> {
  const answer = new ChatAnswer(call, quirks.thinkingHistory && call.model.provider);
  for await (const { name, data } of unbroken(events, () => answer.isOver)) {
    if (data.trim() === '[DONE]') {
      answer.done();
      break;
    }
    const chunk = parsedObject(data) as Chunk | undefined;
    if (!chunk) throw brokenAnswer('The provider sent a chunk that is no JSON object.');
    const error = failureIn(chunk, name);
    if (error) {
      yield messageError(errorIn(error), chatUsage(usageInChunk(chunk)));
      return;
    }
    yield* answer.take(chunk);
  }
  yield* answer.end();
}

/** What the chunks have told of the answer so far. */
class ChatAnswer {
  private readonly blocks: ChatBlockQueue;
  private isStarted = false;
  private ending: Ending | undefined;
  private usage: unknown;
  /** Some of the answer came behind the usage, which so is not the last word on it. */
  private isOutdated = false;
  private sources: Sources = {};

  /** @param issuer the provider's name where it wants its thinking back. */
  constructor(
    private readonly call: CallContext<'messages'>,
    private readonly issuer: string | undefined,
  ) {
    this.blocks = new ChatBlockQueue(call, issuer);
  }

  get isOver(): boolean {
    return this.ending !== undefined;
  }

  *take(chunk: Chunk): Generator<ServerEvent> {
    // What comes before the answer, such as a judgement on the prompt, begins nothing.
    if (!this.isStarted && beginsAnswer(chunk)) {
      yield messageStart(this.call);
      this.isStarted = true;
    }
    // Sent once, or with each chunk as the count so far: the last one is the whole.
    const told = usageInChunk(chunk);
    const reported = inItsTier(chatUsage(told), chunk);
    if (reported) {
      this.usage = told;
      yield usageReport(reported);
    }
    if (pagesBeside(chunk).length > 0) this.sources = chunk;
    for (const choice of listOf(chunk.choices) as (ChunkChoice | null)[]) {
      if (choice && (choice.index ?? 0) === 0) yield* this.takeChoice(choice);
    }
    if (reported) this.isOutdated = false;
  }

  private *takeChoice(choice: ChunkChoice): Generator<ServerEvent> {
    // Who sends the answer whole, as a stream of one chunk, calls it a message.
    const delta = choice.delta ?? choice.message;
    for (const piece of piecesIn(delta, this.issuer)) {
      this.isOutdated = true;
      yield* this.blocks.add(piece);
    }
    const citations = citationsIn(delta?.annotations);
    if (citations.length > 0) yield* this.blocks.cite(citations);
    for (const piece of callsIn(delta)) {
      this.isOutdated = true;
      yield* this.blocks.addCall(piece);
    }
    if (choice.finish_reason) this.ending = choice;
  }

  /** Some never say why they stopped; what came is whole when the format's own end came behind it. */
  done(): void {
    if (!this.blocks.isEmpty) this.ending ??= { finish_reason: 'stop' };
  }

  *end(): Generator<ServerEvent> {
    const { blocks, ending, usage, isOutdated } = this;
    if (ending === undefined) throw brokenAnswer(BROKEN_OFF);
    yield* blocks.cite(pagesBeside(this.sources));
    yield* blocks.end();
    const counts = chatUsage(usage);
    const sequences = this.call.request.stop_sequences;
    yield messageEvent('message_delta', {
      delta: stopOf(ending, { calls: blocks.calls, sequences }),
      usage: counts && finalCounts(messageUsage(counts, usage), { isOutdated }),
    });
    yield messageEvent('message_stop');
  }
}

interface Chunk extends Sources, MayFail {
  readonly service_tier?: unknown;
}

interface ChunkChoice extends Ending {
  readonly index?: number;
  readonly delta?: WireMessage | null;
  readonly message?: WireMessage | null;
}
