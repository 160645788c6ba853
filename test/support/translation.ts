import { type Model } from '../../src/contract/model.js';
import {
  type NeutralMessage,
  type NeutralRequest,
  type NeutralTurn,
} from '../../src/contract/neutral.js';
import {
  type CallContext,
  type Codec,
  type ServerEvent,
  type UpstreamReply,
} from '../../src/providers/provider.js';

/** A chat model, named `provider/name`, that costs nothing. */
export function modelNamed(id: string, fields: Partial<Model> = {}): Model {
  const slash = id.indexOf('/');
  return {
    id,
    name: id.slice(slash + 1),
    provider: id.slice(0, slash),
    endpoints: ['messages'],
    created: 0,
    pricing: {},
    listed: true,
    capabilities: {},
    ...fields,
  };
}

/** What a codec is told of a call. */
export function messagesCall(
  {
    model = 'vendor/model-x',
    stream = false,
    reasons = false,
    ...request
  }: Partial<NeutralRequest> & { reasons?: boolean },
  more: Partial<CallContext<'messages'>> = {},
): CallContext<'messages'> {
  return {
    request: { messages: [], ...request, model },
    model: modelNamed(model, { capabilities: { supports_reasoning: reasons } }),
    place: {},
    headers: {},
    stream: stream as boolean,
    inputEstimate: 11,
    id: 'req_abcdefghijklmnopqrstuvwx',
    created: 0,
    ...more,
  };
}

type Asked = Parameters<typeof messagesCall>[0];

/** What a codec makes of requests, of answers and of streams. */
export function waysOf(codec: Codec<'messages'>) {
  return {
    /** The body that it sends for a request. */
    sent(request: Asked): Record<string, any> {
      const [call] = codec.encode(messagesCall(request));
      return (call?.body as { json: Record<string, any> }).json;
    },
    decoded: (body: unknown, request: Asked = {}) =>
      codec.decode([replyOf(body)], messagesCall(request)),
    streamed: (events: AsyncIterable<ServerEvent>, request: Asked = {}) =>
      codec.decodeStream!(events, messagesCall({ ...request, stream: true })),
  };
}

/** One turn of the user's. */
export function askedBy(content: NeutralTurn['content']): Pick<NeutralRequest, 'messages'> {
  return { messages: [{ role: 'user', content }] };
}

/** A whole answer with this body. */
export function replyOf(body: unknown, status = 200): UpstreamReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: {},
    bytes: Buffer.from(text),
    json: () => JSON.parse(text) as unknown,
  };
}

/** A stream of events without names, or named by their `type` where they have one. */
export async function* eventsOf(
  ...events: readonly (object | string)[]
): AsyncGenerator<ServerEvent> {
  for (const event of events) {
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    yield await Promise.resolve({ name: undefined, data });
  }
}

type Assembled = Pick<NeutralMessage, 'content' | 'stop_reason' | 'stop_sequence'> & {
  readonly usage: unknown;
};

/**
 * The message that a client puts together from a translated stream.
 *
 * @throws Error for an order of events that Anthropic's SDKs do not take, and for an error event.
 */
export async function assembled(events: AsyncIterable<ServerEvent>): Promise<Assembled> {
  const content: Record<string, any>[] = [];
  let open: number | undefined;
  let isStarted = false;
  let end: any;
  let isOver = false;
  for await (const { name, data } of events) {
    const event = JSON.parse(data) as Record<string, any>;
    lawful(event.type === name, `event ${name} has type ${event.type}`);
    lawful(isStarted === (event.type !== 'message_start'), `${name} out of place`);
    lawful(!isOver, `${name} behind the end`);
    isStarted = true;
    switch (name) {
      case 'message_start':
        lawful(event.message.content.length === 0, 'the message starts with content');
        break;
      case 'content_block_start':
        lawful(open === undefined, 'a block opens inside another');
        lawful(!end && event.index === content.length, `block ${event.index} out of order`);
        open = event.index;
        content.push({ ...event.content_block });
        break;
      case 'content_block_delta':
        lawful(event.index === open, 'a delta for a block that is not open');
        extend(content[event.index]!, event.delta);
        break;
      case 'content_block_stop':
        lawful(event.index === open, 'a stop for a block that is not open');
        open = undefined;
        break;
      case 'message_delta':
        lawful(open === undefined, 'the message ends inside a block');
        end = event;
        break;
      case 'message_stop':
        lawful(end !== undefined, 'the message stops without its end');
        isOver = true;
        break;
      default:
        throw new Error(`${name}: ${event.error?.message}`);
    }
  }
  lawful(isOver, 'the stream breaks off');
  const blocks = content.map(({ json, ...block }) =>
    json === undefined ? block : { ...block, input: inputOf(json) },
  );
  return { content: blocks as any, ...end.delta, usage: end.usage };
}

function extend(block: Record<string, any>, delta: Record<string, any>): void {
  switch (delta.type) {
    case 'text_delta':
      block.text += delta.text;
      break;
    case 'thinking_delta':
      block.thinking += delta.thinking;
      break;
    case 'signature_delta':
      block.signature = delta.signature;
      break;
    case 'citations_delta':
      block.citations = [...(block.citations ?? []), delta.citation];
      break;
    case 'input_json_delta':
      block.json = (block.json ?? '') + delta.partial_json;
      break;
    default:
      throw new Error(`unknown delta ${delta.type}`);
  }
}

/** Arguments that broke off are told as a whole answer tells them. */
function inputOf(json: string): unknown {
  if (json === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    return { INVALID_JSON: json };
  }
}

function lawful(isLawful: boolean, problem: string): void {
  if (!isLawful) throw new Error(problem);
}
