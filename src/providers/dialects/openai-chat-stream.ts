import { type CallContext, type ServerEvent } from '../provider.js';
import {
  brokenAnswer,
  callsIn,
  chatUsage,
  listOf,
  messageId,
  neutralUsage,
  parsedObject,
  type Spoken,
  spokenIn,
  stopReason,
  toolIds,
  toolName,
  type WireCall,
  type WireMessage,
} from './openai-chat-reading.js';
import { callerToolNames } from './openai-chat-tools.js';
import { errorIn } from './provider-error.js';

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
): AsyncGenerator<ServerEvent> {
  const blocks = new BlockQueue(call);
  let isStarted = false;
  let finish: unknown;
  let usage;
  for await (const { name, data } of events) {
    if (data.trim() === '[DONE]') break;
    const chunk = parsedObject(data) as Chunk | undefined;
    if (!chunk) throw brokenAnswer('The provider sent a chunk that is no JSON object.');
    if (chunk.error || name === 'error') {
      yield failure(chunk);
      return;
    }
    if (!isStarted) yield start(call);
    isStarted = true;
    // Sent once, or with each chunk as the count so far: the last one is the whole.
    usage = chatUsage(chunk.usage ?? chunk.x_groq?.usage) ?? usage;
    for (const choice of listOf(chunk.choices) as (ChunkChoice | null)[]) {
      if ((choice?.index ?? 0) !== 0) continue;
      yield* blocks.take(choice?.delta);
      finish = choice?.finish_reason || finish;
    }
  }
  if (finish === undefined) throw brokenAnswer('The provider broke off its answer.');
  yield* blocks.end();
  yield event('message_delta', {
    delta: { stop_reason: stopReason(finish, blocks.calls), stop_sequence: null },
    usage: usage && neutralUsage(usage),
  });
  yield event('message_stop', {});
}

interface Chunk {
  readonly error?: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  /** Where Groq keeps the usage of a stream: https://console.groq.com/docs/api-reference */
  readonly x_groq?: { readonly usage?: unknown } | null;
}

interface ChunkChoice {
  readonly index?: number;
  readonly delta?: WireMessage | null;
  readonly finish_reason?: unknown;
}

interface Block {
  readonly kind: Spoken['kind'] | 'tool';
  /** What came and has not gone out yet. */
  waiting: string;
  isOpen: boolean;
  id?: string;
  name?: string;
  /** All of a tool's arguments, and their length when they were last judged. */
  whole: string;
  judged: number;
}

/**
 * Content blocks in the order of their first piece. Anthropic has one block open at a time while
 * OpenAI may send several tool calls by turns: the first unfinished block goes out as it comes, those
 * behind it wait.
 */
class BlockQueue {
  calls = 0;
  private readonly blocks: Block[] = [];
  private readonly byIndex = new Map<number, Block>();
  private readonly toolNames: ReadonlyMap<string, string>;
  private readonly toolId: (given?: string | null) => string;
  /** The block that is going out; its place in the list is its index on the wire. */
  private current = 0;
  private isEnded = false;

  constructor(call: CallContext<'messages'>) {
    this.toolNames = callerToolNames(call.request);
    this.toolId = toolIds(call);
  }

  *take(delta: WireMessage | null | undefined): Generator<ServerEvent> {
    for (const { kind, text } of spokenIn(delta)) {
      const last = this.blocks.at(-1);
      const block = last?.kind === kind ? last : this.append(kind);
      block.waiting += text;
      yield* this.advance();
    }
    for (const call of callsIn(delta)) {
      this.addCall(call);
      yield* this.advance();
    }
  }

  *end(): Generator<ServerEvent> {
    this.isEnded = true;
    yield* this.advance();
  }

  private append(kind: Block['kind']): Block {
    const block = { kind, waiting: '', isOpen: false, whole: '', judged: 0 };
    this.blocks.push(block);
    return block;
  }

  private addCall(call: WireCall): void {
    const { name, arguments: given } = call.function ?? {};
    const block = this.blockOf(call) ?? this.appendCall(call.index);
    block.id ??= call.id || undefined;
    block.name ??= name || undefined;
    const piece = typeof given === 'object' && given ? JSON.stringify(given) : given;
    if (typeof piece !== 'string') return;
    block.whole += piece;
    block.waiting += piece;
  }

  private appendCall(index: WireCall['index']): Block {
    const block = this.append('tool');
    this.calls++;
    if (typeof index === 'number') this.byIndex.set(index, block);
    return block;
  }

  /** Some servers leave the index out, or use one again for another call. */
  private blockOf({ index, id, function: called }: WireCall): Block | undefined {
    if (typeof index !== 'number') {
      const isNew = Boolean(id) || Boolean(called?.name);
      return this.blocks.findLast(({ kind, id: own }) => kind === 'tool' && (!isNew || own === id));
    }
    const block = this.byIndex.get(index);
    const isOther = Boolean(called?.name) && id && block?.id && id !== block.id;
    return isOther ? undefined : block;
  }

  private *advance(): Generator<ServerEvent> {
    for (let block = this.blocks[this.current]; block; block = this.blocks[this.current]) {
      const index = this.current;
      if (!block.isOpen) {
        const content_block = this.opening(block);
        if (!content_block) return;
        block.isOpen = true;
        yield event('content_block_start', { index, content_block });
      }
      if (block.waiting !== '') {
        yield event('content_block_delta', { index, delta: deltaOf(block) });
        block.waiting = '';
      }
      if (!this.isOver(block)) return;
      yield event('content_block_stop', { index });
      this.current++;
    }
  }

  /** Undefined while a tool's name or id may still come. */
  private opening({ kind, id, name }: Block): object | undefined {
    if (kind === 'text') return { type: 'text', text: '' };
    if (kind === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
    if (!this.isEnded && (id === undefined || name === undefined)) return undefined;
    const sent = toolName(name);
    const own = this.toolNames.get(sent) ?? sent;
    return { type: 'tool_use', id: this.toolId(id), name: own, input: {} };
  }

  /** Behind a whole JSON object nothing can follow, so the next call need not wait for the end. */
  private isOver(block: Block): boolean {
    if (this.isEnded) return true;
    if (block === this.blocks.at(-1)) return false;
    if (block.kind !== 'tool') return true;
    if (block.judged === block.whole.length) return false;
    block.judged = block.whole.length;
    return parsedObject(block.whole) !== undefined;
  }
}

function deltaOf({ kind, waiting }: Block): object {
  switch (kind) {
    case 'text':
      return { type: 'text_delta', text: waiting };
    case 'thinking':
      return { type: 'thinking_delta', thinking: waiting };
    case 'tool':
      return { type: 'input_json_delta', partial_json: waiting };
  }
}

function start(call: CallContext<'messages'>): ServerEvent {
  return event('message_start', {
    message: {
      id: messageId(call),
      type: 'message',
      role: 'assistant',
      model: call.model.id,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: call.inputEstimate, output_tokens: 1 },
    },
  });
}

const ERROR_TYPES: ReadonlyMap<string | undefined, string> = new Map([
  ['invalid_request_error', 'invalid_request_error'],
  ['rate_limit_error', 'rate_limit_error'],
  ['rate_limit_exceeded', 'rate_limit_error'],
  ['overloaded_error', 'overloaded_error'],
]);

function failure(chunk: Chunk): ServerEvent {
  const said = errorIn(chunk);
  const type = ERROR_TYPES.get(said?.type) ?? ERROR_TYPES.get(said?.code) ?? 'api_error';
  return event('error', {
    error: { type, message: said?.message ?? 'The provider broke off its answer.' },
  });
}

function event(type: string, fields: object): ServerEvent {
  return { name: type, data: JSON.stringify({ type, ...fields }) };
}
