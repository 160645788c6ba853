import { isText, parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { claudeError } from './bedrock-errors.js';
import { BlockQueue } from '../block-queue.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { type ConverseCitation, neutralCitation } from './converse-citations.js';
import { callersSignature, redactedThinking } from './converse-reasoning.js';
import { imageBlock, type ToolUse, usedIn } from './converse-response.js';
import { type ConverseStop, neutralStop } from './converse-stop.js';
import { converseUsage, countsOf, type Metered } from './converse-usage.js';
import { messageEvent, messageStart } from '../message-events.js';

/**
 * The events of ConverseStream as Anthropic's stream events. `message_start` carries our estimate of
 * the input; `message_delta` the provider's own counts, and no `usage` when there were none.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
 *
 * @throws GatewayError 502 when the stream ends before its message does or is not JSON.
 */
export async function* eventsOfConverse(
  events: AsyncIterable<ServerEvent>,
  call: CallContext<'messages'>,
): AsyncGenerator<ServerEvent> {
  const blocks = new Blocks(call);
  let isStarted = false;
  let stop: ConverseStop | undefined;
  let usage;
  for await (const event of events) {
    const failure = claudeError(event);
    if (failure) {
      yield failure;
      return;
    }
    const payload = parsedObject(event.data) as Payload | undefined;
    if (!payload) throw brokenAnswer('The provider sent an event that is no JSON object.');
    if (!isStarted) yield messageStart(call);
    isStarted = true;
    switch (event.name) {
      case 'contentBlockStart':
        yield* blocks.begin(payload);
        break;
      case 'contentBlockDelta':
        yield* blocks.take(payload);
        break;
      case 'contentBlockStop':
        yield* blocks.end(payload);
        break;
      case 'messageStop':
        stop = payload;
        break;
      case 'metadata':
        usage = converseUsage(payload) ?? usage;
        break;
      default:
    }
    // The last word; whoever waited for more would depend on how the connection ends.
    if (stop && event.name === 'metadata') break;
  }
  if (!stop) throw brokenAnswer(BROKEN_OFF);
  yield* blocks.endAll();
  const delta = neutralStop(stop, blocks.calls, call.request);
  const ending = messageEvent('message_delta', { delta, usage: usage && countsOf(usage) });
  yield { ...ending, spent: usage };
  yield messageEvent('message_stop');
}

interface Payload extends ConverseStop, Metered {
  readonly contentBlockIndex?: unknown;
  readonly start?: { readonly toolUse?: ToolUse | null; readonly image?: Image | null } | null;
  readonly delta?: Delta | null;
}

interface Image {
  readonly format?: unknown;
  readonly source?: { readonly bytes?: unknown } | null;
}

interface Delta {
  readonly text?: unknown;
  readonly toolUse?: { readonly input?: unknown } | null;
  readonly reasoningContent?: {
    readonly text?: unknown;
    readonly signature?: unknown;
    readonly redactedContent?: unknown;
  } | null;
  readonly citation?: ConverseCitation | null;
  readonly image?: Image | null;
}

/** Only calls and images are announced; text and thinking begin with their first piece. */
class Blocks {
  calls = 0;
  private readonly queue = new BlockQueue();
  private readonly toolUse: ReturnType<typeof usedIn>;
  private readonly formats = new Map<unknown, unknown>();
  /** What an index holds: one that ends, ends all of it. */
  private readonly keys = new Map<unknown, Set<string>>();

  constructor(private readonly call: CallContext<'messages'>) {
    this.toolUse = usedIn(call);
  }

  *begin({ contentBlockIndex: index, start }: Payload): Generator<ServerEvent> {
    if (start?.image) this.formats.set(index, start.image.format);
    if (!start?.toolUse) return;
    const block = this.toolUse({ ...start.toolUse, input: {} });
    if (block.type === 'tool_use') this.calls++;
    yield* this.queue.begin(this.key(index, 'tool'), block);
  }

  *take({ contentBlockIndex: index, delta }: Payload): Generator<ServerEvent> {
    const { text, toolUse, reasoningContent: thought, citation, image } = delta ?? {};
    if (isText(text)) {
      yield* this.add(index, TEXT, { type: 'text_delta', text });
    }
    if (isText(toolUse?.input)) {
      const key = this.key(index, 'tool');
      if (!this.queue.has(key)) throw brokenAnswer('The provider called a tool without a name.');
      yield* this.queue.add(key, { type: 'input_json_delta', partial_json: toolUse.input });
    }
    if (isText(thought?.text)) {
      yield* this.add(index, THINKING, { type: 'thinking_delta', thinking: thought.text });
    }
    if (isText(thought?.signature)) {
      const signature = callersSignature(thought.signature, this.call.model);
      yield* this.add(index, THINKING, { type: 'signature_delta', signature });
    }
    if (isText(thought?.redactedContent)) {
      const block = redactedThinking(thought.redactedContent, this.call.model);
      yield* this.queue.begin(this.key(index, 'redacted'), block);
    }
    for (const found of citation ? neutralCitation(citation) : []) {
      yield* this.add(index, TEXT, { type: 'citations_delta', citation: found });
    }
    if (isText(image?.source?.bytes)) {
      const block = imageBlock(this.formats.get(index), image.source.bytes);
      yield* this.queue.begin(this.key(index, 'image'), block);
    }
  }

  *end({ contentBlockIndex: index }: Payload): Generator<ServerEvent> {
    for (const key of this.keys.get(index) ?? []) yield* this.queue.end(key);
  }

  endAll(): Generator<ServerEvent> {
    return this.queue.endAll();
  }

  private *add(
    index: unknown,
    block: typeof TEXT | typeof THINKING,
    delta: object,
  ): Generator<ServerEvent> {
    const key = this.key(index, block.type);
    yield* this.queue.begin(key, block);
    yield* this.queue.add(key, delta);
  }

  private key(index: unknown, kind: string): string {
    const key = `${kind} ${JSON.stringify(index)}`;
    const keys = this.keys.get(index);
    if (keys) keys.add(key);
    else this.keys.set(index, new Set([key]));
    return key;
  }
}

const TEXT = { type: 'text', text: '' };
const THINKING = { type: 'thinking', thinking: '', signature: '' };
