import supertest from 'supertest';
import { API_KEY } from './gateway.js';
import { messageEvent } from './provider-answers.js';
import { useGatewayBefore, usualProviders } from './use-gateway.js';

/** Models of providers that speak another format than Responses, and one that nobody has to pay. */
export const CLAUDE = 'anthropic/claude-sonnet-4-5';
export const LLAMA = 'groq/llama-3.3-70b-versatile';

/** A gateway whose Anthropic, Groq and OpenAI are one upstream that answers as told. */
export function useTranslatingGateway(env: Record<string, string> = {}) {
  const gateway = useGatewayBefore((url) => ({
    ...usualProviders(url),
    GROQ_API_KEY: 'upstream-groq-key',
    GROQ_BASE_URL: `${url}/groq/v1`,
    ...env,
  }));
  return {
    upstream: gateway.upstream,
    get url() {
      return gateway.url;
    },
    post: (body: object) => gateway.post('/v3/responses', body),
    send: (method: 'get' | 'delete', path: string) =>
      supertest(gateway.url)[method](path).set('authorization', `Bearer ${API_KEY}`),
  };
}

type Block = Readonly<Record<string, unknown>>;

const USAGE = {
  input_tokens: 1000,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 0,
  output_tokens: 500,
};

/** A message of Anthropic's. */
export function claudeSays(content: readonly Block[], stop_reason = 'end_turn') {
  return {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content,
    stop_reason,
    stop_sequence: null,
    usage: USAGE,
  };
}

/** The same message as Anthropic streams it. */
export function claudeStreams(content: readonly Block[], stop_reason = 'end_turn'): string[] {
  const message = { ...claudeSays([]), stop_reason: null, usage: { ...USAGE, output_tokens: 1 } };
  const inside = content.flatMap((block, index) => [
    messageEvent('content_block_start', { index, content_block: bare(block) }),
    ...deltas(block).map((delta) => messageEvent('content_block_delta', { index, delta })),
    messageEvent('content_block_stop', { index }),
  ]);
  return [
    messageEvent('message_start', { message }),
    messageEvent('ping'),
    ...inside,
    messageEvent('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: USAGE }),
    messageEvent('message_stop'),
  ];
}

function bare(block: Block): Block {
  switch (block.type) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltas({ type, text, thinking, signature, input }: Block): object[] {
  switch (type) {
    case 'text':
      return halves(text).map((half) => ({ type: 'text_delta', text: half }));
    case 'thinking':
      return [
        ...halves(thinking).map((half) => ({ type: 'thinking_delta', thinking: half })),
        { type: 'signature_delta', signature },
      ];
    case 'tool_use':
      return halves(JSON.stringify(input)).map((half) => ({
        type: 'input_json_delta',
        partial_json: half,
      }));
    default:
      return [];
  }
}

function halves(whole: unknown): string[] {
  const text = String(whole);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** An event of a response: its name, and what it carries. */
export interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: any;
}

/** The events of a stream; a comment is none. */
export function responseEvents(text: string): ResponseEvent[] {
  return text.split('\n\n').flatMap((frame) => {
    if (frame === '' || frame.startsWith(':')) return [];
    const [name, data] = frame.split('\n');
    const event = JSON.parse(data!.slice('data: '.length)) as ResponseEvent;
    if (name !== `event: ${event.type}`) throw new Error(`${name} is not ${event.type}`);
    return [event];
  });
}
