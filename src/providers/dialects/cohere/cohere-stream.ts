import { listOf, parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { BlockQueue } from '../block-queue.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { type Thought } from './cohere-messages.js';
import { brokeOff, type CohereCall, cohereStop, neutralCitations } from './cohere-reading.js';
import { cohereSignature } from './cohere-response.js';
import { cohereCallerNames } from './cohere-tools.js';
import { cohereUsage } from './cohere-usage.js';
import { messageEnd, messageError, messageStart } from '../message-events.js';
import { errorIn } from '../provider-error.js';
import { toolUses } from '../tool-uses.js';

/**
 * Cohere's stream events as Anthropic's. `message_start` carries our estimate of the input;
 * `message_delta` what Cohere bills. https://docs.cohere.com/docs/streaming
 *
 * @throws GatewayError 502 when the stream ends without its last event or is not JSON.
 */
export async function* eventsOfCohere(
  events: AsyncIterable<ServerEvent>,
  call: CallContext<'messages'>,
): AsyncGenerator<ServerEvent> {
  const blocks = new CohereBlocks(call);
  let isStarted = false;
  for await (const { data } of events) {
    if (data.trim() === '[DONE]') break;
    const event = parsedObject(data) as CohereEvent | undefined;
    if (!event) throw brokenAnswer('The provider sent an event that is no JSON object.');
    const { type, delta } = event;
    const said = failureOf(event);
    if (said) {
      yield messageError(said, cohereUsage(delta?.usage));
      return;
    }
    if (!isStarted) yield messageStart(call);
    isStarted = true;
    if (type !== 'message-end') {
      yield* blocks.take(event);
      continue;
    }
    yield* blocks.end();
    const stop = cohereStop(delta?.finish_reason, blocks.calls, call);
    yield* messageEnd(stop, cohereUsage(delta?.usage));
    return;
  }
  throw brokenAnswer(BROKEN_OFF);
}

interface CohereEvent {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: unknown;
  readonly delta?: {
    readonly message?: {
      readonly content?: Content | null;
      readonly tool_plan?: unknown;
      readonly tool_calls?: unknown;
      readonly citations?: unknown;
    } | null;
    readonly finish_reason?: unknown;
    readonly usage?: unknown;
    readonly error?: unknown;
  } | null;
}

interface Content {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

/** An error instead of an event, or in the last one, which may have no more than the word for it. */
function failureOf({ type, message, delta, ...rest }: CohereEvent) {
  if (typeof delta?.error === 'string') return { message: delta.error };
  if (brokeOff(delta?.finish_reason)) return { message: BROKEN_OFF };
  return type === undefined ? errorIn({ message, ...rest }) : undefined;
}

type Kind = Thought | 'text';

/** Cohere's texts have no end of their own that counts: citations of a text come behind it. */
class CohereBlocks {
  calls = 0;
  private readonly queue = new BlockQueue();
  private readonly toolUse: ReturnType<typeof toolUses>;
  /** The text or thinking that may still grow. */
  private open: { readonly key: string; readonly kind: Kind } | undefined;
  private made = 0;
  /** The newest call by its index on the wire. */
  private readonly callKeys = new Map<unknown, string>();

  constructor(call: CallContext<'messages'>) {
    this.toolUse = toolUses(call, cohereCallerNames(call.request));
  }

  *take({ type, index, delta }: CohereEvent): Generator<ServerEvent> {
    const message = delta?.message;
    switch (type) {
      case 'content-start':
        yield* this.close();
        yield* this.content(message?.content);
        break;
      case 'content-delta':
        yield* this.content(message?.content);
        break;
      case 'tool-plan-delta':
        yield* this.say('plan', message?.tool_plan);
        break;
      case 'citation-start':
        yield* this.cite(message?.citations);
        break;
      case 'tool-call-start':
        yield* this.close();
        yield* this.beginCall(index, oneOf(message?.tool_calls));
        break;
      case 'tool-call-delta':
        yield* this.argue(index, oneOf(message?.tool_calls));
        break;
      case 'tool-call-end':
        yield* this.queue.end(this.callKeys.get(index) ?? '');
    }
  }

  *end(): Generator<ServerEvent> {
    yield* this.close();
    yield* this.queue.endAll();
  }

  private *content(content: Content | null | undefined): Generator<ServerEvent> {
    yield* this.say('thinking', content?.thinking);
    yield* this.say('text', content?.text);
  }

  private *say(kind: Kind, text: unknown): Generator<ServerEvent> {
    if (typeof text !== 'string' || text === '') return;
    if (this.open?.kind !== kind) yield* this.close();
    if (!this.open) {
      this.open = { key: `spoken ${this.made++}`, kind };
      yield* this.queue.begin(this.open.key, opening(kind));
    }
    const delta =
      kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
    yield* this.queue.add(this.open.key, delta);
  }

  private *cite(citations: unknown): Generator<ServerEvent> {
    if (this.open?.kind !== 'text') return;
    for (const citation of neutralCitations(oneOf(citations))) {
      yield* this.queue.add(this.open.key, { type: 'citations_delta', citation });
    }
  }

  private *close(): Generator<ServerEvent> {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    if (open.kind !== 'text') {
      const signature = cohereSignature(open.kind);
      yield* this.queue.add(open.key, { type: 'signature_delta', signature });
    }
    yield* this.queue.end(open.key);
  }

  private *beginCall(index: unknown, call: CohereCall): Generator<ServerEvent> {
    const block = this.toolUse({ id: call.id, name: call.function?.name, input: {} });
    const key = `call ${this.calls++}`;
    this.callKeys.set(index, key);
    yield* this.queue.begin(key, block);
    yield* this.argue(index, call);
  }

  private *argue(index: unknown, call: CohereCall): Generator<ServerEvent> {
    const json = call.function?.arguments;
    if (typeof json !== 'string' || json === '') return;
    const key = this.callKeys.get(index) ?? '';
    yield* this.queue.add(key, { type: 'input_json_delta', partial_json: json });
  }
}

function opening(kind: Kind): object {
  return kind === 'text'
    ? { type: 'text', text: '' }
    : { type: 'thinking', thinking: '', signature: '' };
}

/** Cohere sends one object where its whole answers have a list. */
function oneOf(value: unknown): object {
  const [first] = Array.isArray(value) ? listOf(value) : [value];
  return typeof first === 'object' && first !== null ? first : {};
}
