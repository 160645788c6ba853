import { able } from '../../../contract/ability.js';
import { type Usage } from '../../../contract/usage.js';
import { type Edits, editsOfChanged, spliceInside } from '../../../json/splice.js';
import { bytesBehind } from '../../../json/text-bytes.js';
import { isObject, listOf, membersOf, parsedObject } from '../../../json/values.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type Relay,
  type RelayContext,
  type StreamTap,
} from '../../provider.js';
import { LeadingEvents } from '../leading-events.js';
import { BROKEN_OFF } from '../broken-answer.js';
import { errorIn } from '../provider-error.js';
import { billEdits, replyReader } from '../relayed-reply.js';
import { isSound } from '../sound-usage.js';
import { isFinished, type OutputItem, type ResponseBody } from './responses-reading.js';
import {
  ENCRYPTED_REASONING,
  markedOutput,
  markedReasoning,
  ownReasoningOnly,
} from './responses-reasoning.js';
import { refuseSvg, toolIn, toolUsage } from './responses-tools.js';
import { suited } from './responses-substitute.js';
import { responsesUsage, responsesUsageOf } from './responses-usage.js';

/**
 * OpenAI's Responses, passed through: the model's name, `cost`, `provider` and the marks of another provider's
 * reasoning (`markedReasoning`) are all that changes in the answer.
 * https://platform.openai.com/docs/api-reference/responses, …/responses-streaming
 */
export const responsesRelay: Relay = {
  request(call) {
    refuseSvg(call);
    return { path: '/responses', headers: {}, edits: requestEdits(call) };
  },

  parses: true,
  reply(bytes, call, parsed) {
    const body = parsed ?? parsedObject(bytes.toString());
    const reply = readReply(bytes, call, body);
    const output = reply && markedOutput(membersOf(body).output, call);
    if (!output) return reply;
    return { ...reply, splices: new Map([...reply.splices, ['output', JSON.stringify(output)]]) };
  },

  stream: (call) => new ResponsesTap(call),
};

const readReply = replyReader({
  answer: 'output',
  isFinished,
  usage: responsesUsage,
  tools: toolUsage,
  usageOf: responsesUsageOf,
});

/**
 * A caller who counts on OpenAI's storage sends reasoning back by its id, which means nothing where
 * nothing is stored; so it is asked for encrypted, and comes back with the item.
 */
function requestEdits({ model, body }: RelayContext): Edits {
  const { store, include, input, ...fields } = suited(body, model);
  const isEncrypted = store !== false && able(model, 'thinking');
  const wanted = {
    ...fields,
    model: model.name,
    input: ownReasoningOnly(input, model.provider) ?? input,
    include: isEncrypted ? [...new Set([...listOf(include), ENCRYPTED_REASONING])] : include,
  };
  return editsOfChanged(wanted, body);
}

interface StreamEvent {
  readonly type?: unknown;
  readonly response?: ResponseBody | null;
  readonly item?: OutputItem | null;
}

/** Sent while the provider is at work. */
const SAYS_NOTHING = new Set(['ping', 'keepalive']);

/** A piece of text, arguments or reasoning. */
const DELTA_TEXT = /"delta":\s*"/;

class ResponsesTap implements StreamTap {
  state: 'open' | 'ended' | 'failed' = 'open';
  readonly complete = false;
  usage: Usage | undefined;
  readonly isFinal = true;
  outputBytes = 0;
  error: ProviderError | undefined;
  private isBegun = false;
  private readonly leading = new LeadingEvents();
  /** The items that are done, which tell what tools did where no last event does. */
  private readonly done: OutputItem[] = [];
  /** The last event waits for the bill. */
  private last: RawEvent | undefined;

  constructor(private readonly call: RelayContext) {}

  get tools(): Partial<Usage> | undefined {
    if (this.usage) return undefined;
    const whole = this.last && responseIn(this.last);
    return toolUsage({ output: this.done, ...whole }, this.call.body);
  }

  take(event: RawEvent): Buffer | undefined {
    // `[DONE]`, and whatever else SDKs would stumble over.
    if (!/^\s*\{/.test(event.data)) return undefined;
    const type = event.name ?? typeIn(event.data);
    const piece = this.told(event, type);
    if (this.isBegun || !piece || this.state !== 'open') return piece;
    this.isBegun = type?.startsWith('response.') === true;
    if (!this.isBegun) {
      if (SAYS_NOTHING.has(type ?? '')) return this.leading.leavesOut() ? undefined : piece;
      return this.leading.hold(piece);
    }
    // SDKs look for the response in the first event that they see.
    const before = this.leading.release();
    return before ? Buffer.concat([piece, before]) : piece;
  }

  private told(event: RawEvent, type: string | undefined): Buffer | undefined {
    if (type?.endsWith('.delta')) {
      this.outputBytes += bytesBehind(DELTA_TEXT, event.data);
      return event.bytes;
    }
    switch (type) {
      case 'response.completed':
      case 'response.incomplete':
        this.state = 'ended';
        this.last = event;
        this.usage = responsesUsage(responseIn(event), this.call.body);
        return undefined;
      case 'response.failed':
        this.state = 'failed';
        this.error = errorIn(responseIn(event)) ?? { message: BROKEN_OFF };
        this.usage = responsesUsage(responseIn(event), this.call.body);
        return this.renamed(event);
      case 'error':
        this.state = 'failed';
        this.error = errorIn(parsedObject(event.data)) ?? { message: BROKEN_OFF };
        return event.bytes;
      case undefined:
        // Some servers, and proxies before them, say it without a type.
        this.error = errorIn(parsedObject(event.data));
        if (this.error) this.state = 'failed';
        return event.bytes;
      case 'response.output_item.added':
      case 'response.output_item.done': {
        const { item } = (parsedObject(event.data) ?? {}) as StreamEvent;
        if (isObject(item) && type === 'response.output_item.done') this.done.push(toolIn(item));
        const encrypted = markedReasoning(item, this.call);
        if (encrypted === undefined) return event.bytes;
        const edits = new Map([['encrypted_content', JSON.stringify(encrypted)]]);
        return edited(event, 'item', edits);
      }
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return this.renamed(event);
      default:
        return event.bytes;
    }
  }

  closing(bill: Bill): Buffer {
    if (!this.last) return Buffer.alloc(0);
    const edits = billEdits(bill);
    const isTold = this.usage !== undefined && isSound(responseIn(this.last)?.usage);
    if (!isTold) edits.set('usage', JSON.stringify(responsesUsageOf(bill.usage)));
    return this.renamed(this.last, edits);
  }

  /** The event with the model's full id, and more edits, in its `response`. */
  private renamed(event: RawEvent, more: ReadonlyMap<string, string> = new Map()): Buffer {
    const response = responseIn(event);
    if (!response) return event.bytes;
    const edits = new Map([['model', JSON.stringify(this.call.model.id)], ...more]);
    const output = markedOutput(response.output, this.call);
    if (output) edits.set('output', JSON.stringify(output));
    return edited(event, 'response', edits);
  }
}

/** The event with edits in one of its members. */
function edited(event: RawEvent, member: string, edits: ReadonlyMap<string, string>): Buffer {
  const pieces = spliceInside(Buffer.from(event.data), member, edits);
  if (!pieces) return event.bytes;
  const head = event.name === undefined ? '' : `event: ${event.name}\n`;
  return Buffer.concat([Buffer.from(`${head}data: `), ...pieces, Buffer.from('\n\n')]);
}

function responseIn({ data }: RawEvent): ResponseBody | undefined {
  const { response } = (parsedObject(data) ?? {}) as StreamEvent;
  return typeof response === 'object' && response !== null ? response : undefined;
}

function typeIn(data: string): string | undefined {
  const { type } = (parsedObject(data) ?? {}) as StreamEvent;
  return typeof type === 'string' ? type : undefined;
}
