import { GatewayError } from '../contract/gateway-error.js';
import { PIXEL, severalModels } from '../http/api-call-examples.js';
import { CALL_ERRORS } from '../http/api-errors.js';
import { CALL_HEADERS, CALL_REQUEST_HEADERS } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';
import { NO_CANDIDATE, ROUTING_REQUEST_HEADERS } from '../routing/routing-docs.js';
import { AnthropicMessagesResponse } from './dto/anthropic-messages-response.dto.js';
import { CountTokensResponse } from './dto/count-tokens-response.dto.js';

const TOOL = {
  name: 'get_weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const hello = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const usage = {
  input_tokens: 2,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 4,
};
const message = {
  id: 'msg_8b4c1d2e',
  type: 'message',
  role: 'assistant',
  model: 'sandbox/echo',
  content: [{ type: 'text', text: 'You said: Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
};
const bill = { cost: 0.00001, provider: 'sandbox' };

const badModel = new GatewayError(
  400,
  'invalid_value',
  "'claude' is not of the form <provider>/<model>.",
);
const badHeader = new GatewayError(
  400,
  'invalid_request',
  "Invalid 'extra_headers': 'authorization' may not be set.",
);

const sends = {
  'anthropic-version': {
    description: 'Goes on to Anthropic’s models; `2023-06-01` when it is missing.',
  },
  'anthropic-beta': { description: 'Goes on to Anthropic’s models.' },
};

/** `POST /v3/v1/messages` */
export const CREATE_MESSAGE: RouteDocs = {
  operationId: 'createMessage',
  summary: 'Create a message',
  description: `Takes a conversation and answers with the next message, in the format of
[Anthropic’s Messages API](https://platform.claude.com/docs/en/api/messages), from any chat model of
any provider. Fields that are not listed go on to the provider as they came.

- **Streaming**: with \`stream: true\` the answer is a stream of server-sent events as Anthropic sends
  them; the cost is in the \`usage\` of the last \`message_delta\`. A \`ping\` fills every silence. A
  stream that breaks off ends in an \`error\` event. Errors before the first event are plain JSON.
- **Fallbacks**: when the model fails, those of \`fallbacks\` are tried in their order. \`model\` in the
  answer is the one that served; failed attempts cost nothing.
- **Routing**: the model \`@router\` chooses among \`router_candidates\`, or every model you may use, by
  quality, price and latency: \`routing.quality_cost\` says what counts how much. A conversation stays
  with its model.`,
  family: 'anthropic',
  access: 'key',
  sends: { ...sends, ...CALL_REQUEST_HEADERS, ...ROUTING_REQUEST_HEADERS },
  requests: {
    text: { model: 'sandbox/echo', ...hello },
    'streamed-text': { model: 'sandbox/echo', ...hello, stream: true },
    'system-prompt-and-settings': {
      model: 'sandbox/echo',
      ...hello,
      system: 'You answer in one sentence.',
      temperature: 0.2,
      stop_sequences: ['\n\n'],
      metadata: { user_id: 'user-42' },
    },
    'tool-call': {
      model: 'sandbox/echo',
      max_tokens: 200,
      messages: [{ role: 'user', content: 'What is the weather in Lyon?' }],
      tools: [TOOL],
      tool_choice: { type: 'tool', name: 'get_weather' },
    },
    image: {
      model: 'sandbox/echo',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            { type: 'text', text: 'What is in this picture?' },
          ],
        },
      ],
    },
    ...severalModels(hello),
  },
  answers: {
    200: {
      description: 'The message, or the events of its stream.',
      type: AnthropicMessagesResponse,
      headers: CALL_HEADERS,
      examples: {
        text: { ...message, ...bill },
        'tool-call': {
          ...message,
          content: [
            {
              type: 'tool_use',
              id: 'toolu_61aa748f',
              name: 'get_weather',
              input: { city: 'text' },
            },
          ],
          stop_reason: 'tool_use',
          ...bill,
        },
      },
      streams: {
        text: events(
          {
            type: 'message_start',
            message: {
              ...message,
              content: [],
              stop_reason: null,
              usage: { ...usage, output_tokens: 1 },
            },
          },
          {
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'text', text: '' },
          },
          { type: 'ping' },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'You said: ' },
          },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn', stop_sequence: null },
            usage: { ...usage, ...bill },
          },
          { type: 'message_stop' },
        ),
        'broken-off': events(
          {
            type: 'message_start',
            message: { ...message, content: [], stop_reason: null },
          },
          {
            type: 'error',
            error: { type: 'overloaded_error', message: 'Overloaded' },
            request_id: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58',
          },
        ),
      },
    },
  },
  errors: [...CALL_ERRORS, badModel, badHeader, NO_CANDIDATE, 422, 529],
};

/** `POST /v3/v1/messages/count_tokens` */
export const COUNT_TOKENS: RouteDocs = {
  operationId: 'countMessageTokens',
  summary: 'Count the input tokens of a message',
  description: `Answers how many input tokens the conversation, its system prompt and its tools have.
The provider counts where it can; otherwise the gateway estimates and says so in the header
\`x-causeway-estimated\`. Counting costs nothing.`,
  family: 'anthropic',
  access: 'key',
  sends,
  requests: {
    text: { model: 'sandbox/echo', messages: hello.messages },
    'with-system-prompt-and-tools': {
      model: 'sandbox/echo',
      system: 'You answer in one sentence.',
      messages: hello.messages,
      tools: [TOOL],
    },
  },
  answers: {
    200: {
      description: 'The number of input tokens.',
      type: CountTokensResponse,
      headers: ['x-causeway-estimated'],
      examples: { count: { input_tokens: 2 } },
    },
  },
  // A provider that is down or slow does not fail the count: then it is estimated.
  errors: [
    ...CALL_ERRORS.filter((status) => status !== 402 && status !== 504),
    badModel,
    badHeader,
    422,
  ],
};

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function events(...list: readonly StreamEvent[]): string {
  return list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
