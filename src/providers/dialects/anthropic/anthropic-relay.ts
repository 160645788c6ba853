import { type NeutralBlock } from '../../../contract/neutral.js';
import { tokenCount, type Usage } from '../../../contract/usage.js';
import { spliceInside, spliceObject } from '../../../json/splice.js';
import { bytesBehind } from '../../../json/text-bytes.js';
import { isObject, isSameList, parsedJson, parsedObject } from '../../../json/values.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type Relay,
  type RelayContext,
  type StreamTap,
} from '../../provider.js';
import { blockMarked, eventMarked, isClaude } from './anthropic-proofs.js';
import { anthropicUsage, anthropicUsageOf } from './anthropic-usage.js';
import { claudeEdits } from './claude-edits.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { LeadingEvents } from '../leading-events.js';
import { errorIn } from '../provider-error.js';
import { billEdits, replyReader } from '../relayed-reply.js';
import { isSound, soundUsage } from '../sound-usage.js';
import { SeenTools } from './tools-seen.js';

/**
 * Anthropic's Messages API, passed through: the model's name, `cost`, `provider`, history that is not
 * Anthropic's, thinking as the model knows it, and the mark of proofs that are not Anthropic's are all
 * that changes. https://docs.anthropic.com/en/api/messages, …/messages-streaming
 */
export const anthropicRelay: Relay = {
  request: (call) => ({
    path: '/v1/messages',
    headers: anthropicHeaders(call.headers),
    edits: new Map([['model', JSON.stringify(call.model.name)], ...claudeEdits(call)]),
  }),

  parses: true,
  reply(bytes, call, parsed) {
    const read = REPLY(bytes, call, parsed);
    if (!read || read.error || isClaude(call.model)) return read;
    const { content } = (parsed ?? JSON.parse(bytes.toString())) as {
      content: readonly (NeutralBlock | null)[];
    };
    const told = content.map((block) => block && blockMarked(block, call.model));
    if (isSameList(told, content)) return read;
    return { ...read, splices: new Map([...read.splices, ['content', JSON.stringify(told)]]) };
  },

  stream: (call) => new AnthropicTap(call),
};

const REPLY = replyReader({
  answer: 'content',
  usage: (body) => anthropicUsage(body.usage),
  usageOf: anthropicUsageOf,
});

/** The caller's own version and betas; the oldest version stands in for none. */
export function anthropicHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const beta = headers['anthropic-beta'];
  return {
    // An empty one is refused.
    'anthropic-version': headers['anthropic-version'] || '2023-06-01',
    ...(beta !== undefined && { 'anthropic-beta': beta }),
  };
}

type Counts = Record<string, unknown>;

interface MessageBody {
  usage?: unknown;
}

/** What stands inside of a message, and so behind its beginning. */
const INSIDE = /^(content_block_(start|delta|stop)|message_(delta|stop))$/;

/** Before the text of a delta event; a signature is not output that anybody is charged for by length. */
const DELTA_TEXT = /"(?:text|partial_json|thinking)":\s*"/;

class AnthropicTap implements StreamTap {
  state: 'open' | 'ended' | 'failed' = 'open';
  readonly complete = false;
  isFinal = false;
  outputBytes = 0;
  error: ProviderError | undefined;
  private isBegun = false;
  private readonly leading = new LeadingEvents();
  /** The usage of every event so far, later counts over earlier ones. */
  private readonly counts: Counts = {};
  /** What another provider's events have reported beside their translation. */
  private spent: Usage | undefined;
  private readonly seen = new SeenTools();
  /** A message_delta waits for the next event, because the last one carries the bill. */
  private held: RawEvent | undefined;
  private last: RawEvent | undefined;

  constructor(private readonly call: RelayContext) {}

  get usage(): Usage | undefined {
    const counts = anthropicUsage(this.counts);
    if (!counts || !this.spent) return counts ?? this.spent;
    // The neutral shape has counts alone.
    const { told, serviceTier } = this.spent;
    return {
      ...counts,
      ...(told !== undefined && { told }),
      ...(serviceTier !== undefined && { serviceTier }),
    };
  }

  get tools(): Partial<Usage> | undefined {
    return this.seen.beside(this.usage);
  }

  /** @throws GatewayError 502 when the message has no beginning, which SDKs cannot read. */
  take(event: RawEvent): Buffer | undefined {
    const type = event.name ?? typeOf(event);
    this.spent = event.spent ?? this.spent;
    if (!this.isBegun && type !== undefined && INSIDE.test(type)) {
      throw brokenAnswer('The provider sent an answer without its beginning.');
    }
    switch (type) {
      case 'content_block_delta':
        this.outputBytes += bytesBehind(DELTA_TEXT, event.data);
        // What was reported before it is no more than a beginning.
        this.isFinal = false;
        return this.told(event);
      case 'content_block_start':
        this.seen.take(event);
        return this.told(event);
      case 'message_start':
        return this.start(event);
      case 'message_delta': {
        const before = this.held;
        this.held = event;
        const usage = usageIn(event);
        this.count(usage);
        this.isFinal ||= tokenCount(usage?.output_tokens) !== undefined;
        return before && frame(sound(before));
      }
      case 'message_stop':
        this.state = 'ended';
        this.last = event;
        return undefined;
      case 'error':
        this.state = 'failed';
        this.error = event.said ?? errorIn(parsedJson(event.data)) ?? { message: BROKEN_OFF };
        return frame(event);
      case 'ping':
        return this.isBegun || !this.leading.leavesOut() ? frame(event) : undefined;
      default:
        return this.other(frame(event));
    }
  }

  closing(bill: Bill): Buffer {
    const data = this.held ? sound(this.held).data : EMPTY_DELTA;
    const edits = billEdits(bill);
    const isTold = this.held && tokenCount(usageIn(this.held)?.output_tokens) !== undefined;
    // SDKs read `output_tokens` of this event without looking whether it is there.
    if (!this.usage || !this.isFinal || !isTold) {
      edits.set('output_tokens', String(bill.usage.outputTokens));
    }
    if (!this.usage) edits.set('input_tokens', String(bill.usage.inputTokens));
    const pieces = spliceInside(Buffer.from(data), 'usage', edits);
    return Buffer.concat([
      pieces ? named('message_delta', Buffer.concat(pieces)) : Buffer.alloc(0),
      (this.last && frame(this.last)) ?? Buffer.alloc(0),
    ]);
  }

  /** An event that is not known; the message's beginning has to be the first that SDKs see. */
  private other(piece: Buffer | undefined): Buffer | undefined {
    return this.isBegun || !piece ? piece : this.leading.hold(piece);
  }

  private told(event: RawEvent): Buffer | undefined {
    const data = eventMarked(event, this.call.model);
    if (data === undefined) return frame(event);
    return named(typeOf(event) ?? 'content_block_delta', Buffer.from(data));
  }

  private start(event: RawEvent): Buffer | undefined {
    const message = (parsedJson(event.data) as { message?: MessageBody | null } | undefined)
      ?.message;
    if (!message) throw brokenAnswer('The provider began an answer without a message.');
    this.isBegun = true;
    const { usage } = message;
    if (!event.isEstimate) this.count(usage);
    const edits = new Map([['model', JSON.stringify(this.call.model.id)]]);
    // What is no count comes right in the last event; SDKs want the member here already.
    if (!usage || !isSound(usage)) edits.set('usage', JSON.stringify(soundUsage(usage)));
    const pieces = spliceInside(Buffer.from(event.data), 'message', edits);
    const begun = pieces ? named('message_start', Buffer.concat(pieces)) : frame(event);
    const before = this.leading.release();
    return begun && before ? Buffer.concat([begun, before]) : begun;
  }

  private count(usage: unknown): void {
    if (typeof usage !== 'object' || usage === null) return;
    for (const [key, value] of Object.entries(usage)) {
      this.counts[key] = saysNothing(key, value) ? (this.counts[key] ?? value) : value;
    }
  }
}

/**
 * What must not erase what an earlier event said: null, what is no count, and an input of 0, which no
 * request has.
 */
function saysNothing(key: string, value: unknown): boolean {
  if (typeof value !== 'number') return value === null;
  return tokenCount(value) === undefined || (key === 'input_tokens' && value === 0);
}

const EMPTY_DELTA =
  '{"type":"message_delta","delta":{"stop_reason":null,"stop_sequence":null},"usage":{}}';

function usageIn({ data }: RawEvent): Counts | undefined {
  const usage = (parsedObject(data) as MessageBody | undefined)?.usage;
  return isObject(usage) ? usage : undefined;
}

/** The same event, whose usage has no count that is none. */
function sound(event: RawEvent): RawEvent {
  const usage = usageIn(event);
  if (isSound(usage)) return event;
  const edits = new Map([['usage', JSON.stringify(soundUsage(usage))]]);
  const data = Buffer.concat(spliceObject(Buffer.from(event.data), edits) ?? []);
  return { name: event.name, data: data.toString(), bytes: named('message_delta', data) };
}

/** The event's own bytes; SDKs pass over an event without a name, so one is written. Noise is left out. */
function frame(event: RawEvent): Buffer | undefined {
  if (event.name !== undefined) return event.bytes;
  const type = typeOf(event);
  return type === undefined ? undefined : named(type, Buffer.from(event.data));
}

function named(name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`event: ${name}\ndata: `), data, Buffer.from('\n\n')]);
}

function typeOf(event: RawEvent): string | undefined {
  const type = (parsedJson(event.data) as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' && /^[\w.-]+$/.test(type) ? type : undefined;
}
