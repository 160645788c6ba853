import { type Usage } from '../../../contract/usage.js';
import { type Edits, spliceMembers, spliceObject } from '../../../json/splice.js';
import { textOf } from '../../../json/values.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type Relay,
  type RelayContext,
  type StreamTap,
} from '../../provider.js';
import { type Chunk, chunkIn, memberText } from './openai-chat-chunk.js';
import { failureIn, wholeFailureIn } from './openai-chat-error.js';
import { chatEdits } from './openai-chat-edits.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { chatUsage, usageInChunk } from './openai-chat-usage.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { beginsAnswer } from './openai-chat-opener.js';
import { LeadingEvents } from '../leading-events.js';
import { errorIn } from '../provider-error.js';
import { billEdits, replyReader } from '../relayed-reply.js';
import { inItsTier } from '../service-tier.js';
import { isSound } from '../sound-usage.js';

/**
 * OpenAI's chat completions, passed through. The provider is always asked for usage on a stream;
 * the extra chunk is hidden from a caller who did not ask.
 * https://platform.openai.com/docs/api-reference/chat, …/chat-streaming
 */
export function chatRelay(quirks: ChatQuirks = {}): Relay {
  return {
    ...RELAY,
    request: (call) => ({
      path: '/chat/completions',
      headers: {},
      edits: chatEdits(call, quirks),
    }),
  };
}

const RELAY: Pick<Relay, 'parses' | 'reply' | 'stream'> = {
  parses: true,
  reply: replyReader({
    answer: 'choices',
    fewest: 1,
    failure: wholeFailureIn,
    usage: (body) => inItsTier(chatUsage(body.usage), body),
    usageOf: countedUsage,
  }),
  stream: (call) => new ChatTap(call),
};

/** The relay of a server of which nobody knows how it departs from OpenAI. */
export const openaiChatRelay = chatRelay();

/** Our own count in the format's words. */
function countedUsage(usage: Usage): object {
  const { inputTokens, cacheReadTokens: cached, cacheWriteTokens: written } = usage;
  const prompt = inputTokens + cached + written;
  const completion = usage.outputTokens + usage.imageOutputTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

class ChatTap implements StreamTap {
  state: 'open' | 'ended' | 'failed' = 'open';
  usage: Usage | undefined;
  /** The tier that the chunks tell, for when the usage does not come any more. */
  tools: Partial<Usage> | undefined;
  outputBytes = 0;
  error: ProviderError | undefined;
  private readonly wantsUsage: boolean;
  /** How many choices the answer has to have. */
  private readonly choicesAsked: number;
  private isBegun = false;
  private readonly leading = new LeadingEvents();
  private id = '';
  /** Whether each of the choices that have come, without which there is no answer, has finished. */
  private readonly finished = new Map<unknown, boolean>();
  /** Some of the text came behind the usage, which so is not the last word on it. */
  private isOutdated = false;
  /** What may be the last chunk waits for the next event, because the last one carries the bill. */
  private held: Chunk | undefined;

  constructor(private readonly call: RelayContext) {
    const options = call.body.stream_options as { include_usage?: unknown } | null | undefined;
    this.wantsUsage = options?.include_usage === true;
    this.choicesAsked = typeof call.body.n === 'number' ? call.body.n : 1;
  }

  get complete(): boolean {
    return this.finished.size >= this.choicesAsked && [...this.finished.values()].every(Boolean);
  }

  get isFinal(): boolean {
    return !this.isOutdated && (this.state === 'ended' || this.complete);
  }

  /** @throws GatewayError 502 when the stream ends and nothing has been answered. */
  take(event: RawEvent): Buffer | undefined {
    const { data } = event;
    if (data === '[DONE]') {
      if (this.finished.size === 0) throw brokenAnswer('The provider ended without an answer.');
      this.state = 'ended';
      return undefined;
    }
    const chunk = chunkIn(event);
    if (!chunk) return undefined;
    const failure = failureOf(chunk, event);
    if (failure) return joined(this.release(), this.broken(event, chunk, failure));
    const hasUsage = this.read(chunk);
    // The usage chunk is the last one to the caller, also where the provider sends more behind it.
    const isLast = !hasUsage && this.held?.choices.length === 0;
    const before = isLast ? undefined : this.release();
    // Some report in every chunk, and its text must not wait for the next one.
    if (!hasUsage || (chunk.choices.length > 0 && !this.complete)) {
      return this.told(chunk, joined(before, this.shown(chunk)));
    }
    this.held = chunk;
    return before && joined(this.leading.release(), before);
  }

  /** What a chunk has become, which waits as long as nothing says that there is an answer. */
  private told(chunk: Chunk, piece: Buffer): Buffer | undefined {
    this.isBegun ||= beginsAnswer(chunk.value);
    return this.isBegun ? joined(this.leading.release(), piece) : this.leading.hold(piece);
  }

  /** The event, with its error where SDKs look for one. */
  private broken(event: RawEvent, chunk: Chunk, failure: object): Buffer {
    this.state = 'failed';
    this.read(chunk);
    this.error = errorIn(failure) ?? { message: BROKEN_OFF };
    if (memberText(chunk, 'error') !== undefined) return event.bytes;
    const edits = new Map([['error', JSON.stringify(this.error)]]);
    return Buffer.concat([DATA, ...spliceMembers(chunk.text, chunk.members, edits), END]);
  }

  closing(bill: Bill): Buffer {
    return joined(this.leading.release(), this.ending(bill));
  }

  private ending(bill: Bill): Buffer {
    const edits = billEdits(bill);
    const { held } = this;
    if (held && (this.wantsUsage || held.choices.length > 0)) {
      const isTold = this.isFinal && tells(held);
      const counted = isTold ? [] : [['usage', JSON.stringify(countedUsage(bill.usage))] as const];
      return Buffer.concat([this.chunk(held, new Map([...edits, ...counted])), DONE]);
    }
    return this.wantsUsage ? Buffer.concat([this.usageChunk(bill.usage, edits), DONE]) : DONE;
  }

  /** The chunk that waited, now that another event follows it. */
  private release(): Buffer | undefined {
    const { held } = this;
    this.held = undefined;
    return held && (this.wantsUsage || held.choices.length > 0) ? this.shown(held) : undefined;
  }

  /** @returns whether the chunk tells a usage at its top. */
  private read(chunk: Chunk): boolean {
    for (const { index, outputBytes, isFinished } of chunk.choices) {
      this.outputBytes += outputBytes;
      if (outputBytes > 0) this.isOutdated = true;
      this.finished.set(index, isFinished || this.finished.get(index) === true);
    }
    if (this.id === '') this.id = memberText(chunk, 'id') ?? '';
    const tier = this.tools ? undefined : memberText(chunk, 'service_tier');
    if (tier !== undefined) this.tools = { serviceTier: textOf(chunk.value.service_tier) };
    const hasUsage = memberText(chunk, 'usage') !== undefined;
    // Some tell it elsewhere; inside of a text the name would be escaped.
    const isElsewhere =
      chunk.choices.some((choice) => choice.hasUsage) ||
      memberText(chunk, 'x_groq')?.includes('"usage"');
    if (hasUsage || isElsewhere) {
      const usage = inItsTier(chatUsage(usageInChunk(chunk.value)), chunk.value);
      if (usage) this.isOutdated = false;
      this.usage = usage ?? this.usage;
    }
    return hasUsage;
  }

  /** What of a chunk is no count comes right with the last usage. */
  private shown(chunk: Chunk): Buffer {
    const isRight = memberText(chunk, 'usage') === undefined || tells(chunk);
    return this.chunk(chunk, isRight ? undefined : new Map([['usage', 'null']]));
  }

  private chunk({ text, members }: Chunk, bill?: Edits): Buffer {
    const edits = new Map<string, string | undefined>(bill);
    edits.set('model', JSON.stringify(this.call.model.id));
    return Buffer.concat([DATA, ...spliceMembers(text, members, edits), END]);
  }

  /** Made when the provider sent no usage although it was asked. */
  private usageChunk(usage: Usage, bill: Edits): Buffer {
    const chunk = {
      object: 'chat.completion.chunk',
      created: this.call.created,
      model: this.call.model.id,
      choices: [],
      usage: countedUsage(usage),
    };
    const edits = new Map<string, string | undefined>(bill);
    edits.set('id', this.id === '' ? '"chatcmpl"' : this.id);
    const pieces = spliceObject(Buffer.from(JSON.stringify(chunk)), edits) ?? [];
    return Buffer.concat([DATA, ...pieces, END]);
  }
}

const DATA = Buffer.from('data: ');
const END = Buffer.from('\n\n');
const DONE = Buffer.from('data: [DONE]\n\n');

/** What holds the chunk's error, if it has one; few are parsed for that. */
function failureOf(chunk: Chunk, { name }: RawEvent): object | undefined {
  const mayFail =
    name === 'error' ||
    memberText(chunk, 'error') !== undefined ||
    chunk.value.object === 'error' ||
    chunk.choices.some((choice) => choice.hasError) ||
    memberText(chunk, 'x_groq')?.includes('"error"');
  return mayFail ? failureIn(chunk.value, name) : undefined;
}

/** Whether its usage says what the call took. */
function tells(chunk: Chunk): boolean {
  const { usage } = chunk.value;
  return isSound(usage) && chatUsage(usage) !== undefined;
}

function joined(before: Buffer | undefined, after: Buffer): Buffer {
  return before ? Buffer.concat([before, after]) : after;
}
