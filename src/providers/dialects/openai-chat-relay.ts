import { type Usage } from '../../contract/usage.js';
import { type Member, scanObject } from '../../json/scan.js';
import { type Edits, spliceMembers, spliceObject } from '../../json/splice.js';
import { parsedJson } from '../../json/values.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type Relay,
  type RelayContext,
  type StreamTap,
} from '../provider.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { chatUsage, usageInChunk } from './openai-chat-usage.js';
import { brokenAnswer } from './broken-answer.js';
import { errorIn } from './provider-error.js';
import { billEdits, replyReader } from './relayed-reply.js';
import { isSound } from './sound-usage.js';

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
      edits: requestEdits(call, quirks),
    }),
  };
}

const RELAY: Pick<Relay, 'reply' | 'stream'> = {
  reply: replyReader({
    answer: 'choices',
    fewest: 1,
    usage: (body) => chatUsage(body.usage),
    usageOf: countedUsage,
  }),
  stream: (call) => new ChatTap(call),
};

/** The relay of OpenAI itself. */
export const openaiChatRelay = chatRelay();

function requestEdits({ model, stream, body }: RelayContext, { fields = {} }: ChatQuirks): Edits {
  const edits = new Map<string, string | undefined>([['model', JSON.stringify(model.name)]]);
  for (const [name, known] of Object.entries(fields)) {
    if (!Object.hasOwn(body, name)) continue;
    edits.set(name, undefined);
    if (known !== undefined && !Object.hasOwn(body, known)) {
      edits.set(known, JSON.stringify(body[name]));
    }
  }
  if (!stream || Object.hasOwn(fields, 'stream_options')) return edits;
  const options = body.stream_options as Record<string, unknown> | null | undefined;
  return edits.set('stream_options', JSON.stringify({ ...options, include_usage: true }));
}

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

interface Chunk {
  readonly text: Buffer;
  readonly members: readonly Member[];
}

/** Text in a chunk's delta, whatever it is called. */
const DELTA_TEXT =
  /"(?:content|arguments|reasoning_content|reasoning|refusal)":"((?:[^"\\]|\\.)*)"/g;

class ChatTap implements StreamTap {
  state: 'open' | 'ended' | 'failed' = 'open';
  complete = false;
  usage: Usage | undefined;
  readonly isFinal = true;
  outputBytes = 0;
  error: ProviderError | undefined;
  private readonly wantsUsage: boolean;
  private id = '';
  /** A choice has come, without which there is no answer. */
  private hasChoice = false;
  /** A chunk with usage waits for the next event, because the last one carries the bill. */
  private held: Chunk | undefined;

  constructor(private readonly call: RelayContext) {
    const options = call.body.stream_options as { include_usage?: unknown } | null | undefined;
    this.wantsUsage = options?.include_usage === true;
  }

  /** @throws GatewayError 502 when the stream ends and nothing has been answered. */
  take(event: RawEvent): Buffer | undefined {
    const { data } = event;
    if (data === '[DONE]') {
      if (!this.hasChoice) throw brokenAnswer('The provider ended without an answer.');
      this.state = 'ended';
      return undefined;
    }
    const text = Buffer.from(data);
    const members = scanObject(text);
    if (!members) return undefined;
    const error = present(text, members, 'error');
    if (error) {
      this.state = 'failed';
      this.error = errorIn(parsedJson(data)) ?? { message: 'The provider broke off.' };
      return joined(this.release(), event.bytes);
    }
    this.read(text, members);
    if (!present(text, members, 'usage')) {
      // The usage chunk is the last one to the caller, also where the provider sends more behind it.
      const last = this.held && isUsageOnly(this.held.text, this.held.members);
      return joined(last ? undefined : this.release(), this.chunk(text, members));
    }
    const before = this.release();
    this.usage = chatUsage(usageInChunk(parsedJson(data))) ?? this.usage;
    this.held = { text, members };
    return before;
  }

  closing(bill: Bill): Buffer {
    const edits = billEdits(bill);
    const { held } = this;
    const isShown = held && (this.wantsUsage || !isUsageOnly(held.text, held.members));
    if (isShown) {
      const counted = isTold(held)
        ? []
        : [['usage', JSON.stringify(countedUsage(bill.usage))] as const];
      const last = this.chunk(held.text, held.members, new Map([...edits, ...counted]));
      return Buffer.concat([last, DONE]);
    }
    return this.wantsUsage ? Buffer.concat([this.usageChunk(bill.usage, edits), DONE]) : DONE;
  }

  /** The chunk that waited, now that another event follows it. */
  private release(): Buffer | undefined {
    const { held } = this;
    this.held = undefined;
    if (!held || (!this.wantsUsage && isUsageOnly(held.text, held.members))) return undefined;
    // What is no count comes right with the last usage.
    const edits = isTold(held) ? undefined : new Map([['usage', 'null']]);
    return this.chunk(held.text, held.members, edits);
  }

  private read(text: Buffer, members: readonly Member[]): void {
    const choices = present(text, members, 'choices');
    if (choices !== undefined) {
      for (const match of choices.matchAll(DELTA_TEXT)) {
        this.outputBytes += Buffer.byteLength(match[1] ?? '');
      }
      if (/"finish_reason":\s*"/.test(choices)) this.complete = true;
      this.hasChoice ||= !EMPTY_LIST.test(choices);
    }
    // Some tell it elsewhere than at the top; inside of a text the name would be escaped.
    const groq = present(text, members, 'x_groq');
    if ([choices, groq].some((part) => part?.includes('"usage"'))) {
      this.usage = chatUsage(usageInChunk(parsedJson(text.toString()))) ?? this.usage;
    }
    if (this.id === '') this.id = present(text, members, 'id') ?? '';
  }

  private chunk(text: Buffer, members: readonly Member[], bill?: Edits): Buffer {
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

/** The text of a member that is there and not null. */
function present(text: Buffer, members: readonly Member[], key: string): string | undefined {
  const member = members.findLast((candidate) => candidate.key === key);
  if (!member || text.toString('latin1', member.valueStart, member.end) === 'null')
    return undefined;
  return text.toString('utf8', member.valueStart, member.end);
}

const EMPTY_LIST = /^\[\s*\]$/;

function isUsageOnly(text: Buffer, members: readonly Member[]): boolean {
  return EMPTY_LIST.test(present(text, members, 'choices') ?? '[]');
}

/** Whether its usage says what the call took. */
function isTold({ text, members }: Chunk): boolean {
  const usage = parsedJson(present(text, members, 'usage') ?? '');
  return isSound(usage) && chatUsage(usage) !== undefined;
}

function joined(before: Buffer | undefined, after: Buffer): Buffer {
  return before ? Buffer.concat([before, after]) : after;
}
