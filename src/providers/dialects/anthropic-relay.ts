import { tokenCount, type Usage } from '../../contract/usage.js';
import { spliceInside } from '../../json/splice.js';
import { parsedJson } from '../../json/values.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type Relay,
  type RelayContext,
  type StreamTap,
} from '../provider.js';
import { historyEdits } from './anthropic-history.js';
import { adaptiveEdits } from './anthropic-thinking.js';
import { errorIn } from './provider-error.js';
import { billEdits, replyReader } from './relayed-reply.js';
import { anthropicUsage } from './anthropic-usage.js';

/**
 * Anthropic's Messages API, passed through: the model's name, `cost`, `provider`, history that is not
 * Anthropic's and adaptive thinking that the model does not know are all that changes. https://docs.anthropic.com/en/api/messages, …/messages-streaming
 */
export const anthropicRelay: Relay = {
  request: (call) => ({
    path: '/v1/messages',
    headers: anthropicHeaders(call.headers),
    edits: new Map([
      ['model', JSON.stringify(call.model.name)],
      ...historyEdits(call),
      ...adaptiveEdits(call),
    ]),
  }),

  reply: replyReader({
    answer: 'content',
    usage: (body) => anthropicUsage(body.usage),
    usageOf: ({ inputTokens, outputTokens }) => ({
      input_tokens: inputTokens,
      output_tokens: outputTokens,
    }),
  }),

  stream: (call) => new AnthropicTap(call),
};

/** The caller's own version and betas; the oldest version stands in for none. */
export function anthropicHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const beta = headers['anthropic-beta'];
  return {
    'anthropic-version': headers['anthropic-version'] ?? '2023-06-01',
    ...(beta !== undefined && { 'anthropic-beta': beta }),
  };
}

type Counts = Record<string, unknown>;

interface MessageBody {
  usage?: unknown;
}

/** Text inside a delta event; a signature is not output that anybody is charged for by length. */
const DELTA_TEXT = /"(?:text|partial_json|thinking)":"((?:[^"\\]|\\.)*)"/;

class AnthropicTap implements StreamTap {
  state: 'open' | 'ended' | 'failed' = 'open';
  readonly complete = false;
  isFinal = false;
  outputBytes = 0;
  error: ProviderError | undefined;
  /** The usage of every event so far, later counts over earlier ones. */
  private readonly counts: Counts = {};
  /** A message_delta waits for the next event, because the last one carries the bill. */
  private held: RawEvent | undefined;
  private last: RawEvent | undefined;

  constructor(private readonly call: RelayContext) {}

  get usage(): Usage | undefined {
    return anthropicUsage(this.counts);
  }

  take(event: RawEvent): Buffer | undefined {
    switch (event.name ?? typeOf(event)) {
      case 'content_block_delta':
        this.outputBytes += DELTA_TEXT.exec(event.bytes.toString('latin1'))?.[1]?.length ?? 0;
        return frame(event);
      case 'message_start':
        return this.start(event);
      case 'message_delta': {
        const before = this.held;
        this.held = event;
        const usage = (parsedJson(event.data) as MessageBody | undefined)?.usage as
          Counts | undefined;
        this.count(usage);
        this.isFinal = tokenCount(usage?.output_tokens) !== undefined;
        return before && frame(before);
      }
      case 'message_stop':
        this.state = 'ended';
        this.last = event;
        return undefined;
      case 'error':
        this.state = 'failed';
        this.error = errorIn(parsedJson(event.data)) ?? { message: 'The provider broke off.' };
        return frame(event);
      default:
        return frame(event);
    }
  }

  closing(bill: Bill): Buffer {
    const data = this.held?.data ?? EMPTY_DELTA;
    const reported = (parsedJson(data) as MessageBody | undefined)?.usage as Counts | undefined;
    const edits = billEdits(bill);
    // SDKs read `output_tokens` of this event without looking whether it is there.
    if (typeof reported?.output_tokens !== 'number') {
      edits.set('output_tokens', String(bill.usage.outputTokens));
    }
    const pieces = spliceInside(Buffer.from(data), 'usage', edits);
    return Buffer.concat([
      pieces ? named('message_delta', Buffer.concat(pieces)) : Buffer.alloc(0),
      (this.last && frame(this.last)) ?? Buffer.alloc(0),
    ]);
  }

  private start(event: RawEvent): Buffer | undefined {
    const message = (parsedJson(event.data) as { message?: MessageBody | null } | undefined)
      ?.message;
    if (!message) return frame(event);
    if (!event.isEstimate) this.count(message.usage);
    const model = new Map([['model', JSON.stringify(this.call.model.id)]]);
    const pieces = spliceInside(Buffer.from(event.data), 'message', model);
    return pieces ? named('message_start', Buffer.concat(pieces)) : frame(event);
  }

  private count(usage: unknown): void {
    if (typeof usage !== 'object' || usage === null) return;
    for (const [key, value] of Object.entries(usage)) {
      // What is null or no count must not erase what an earlier event said.
      const isCount = typeof value === 'number' ? tokenCount(value) !== undefined : value !== null;
      if (isCount) this.counts[key] = value;
    }
  }
}

const EMPTY_DELTA =
  '{"type":"message_delta","delta":{"stop_reason":null,"stop_sequence":null},"usage":{}}';

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
