import { severalModels } from '../http/api-call-examples.js';
import { USUAL_ERRORS } from '../http/api-error-examples.js';
import { CALL_ERRORS } from '../http/api-errors.js';
import { CALL_HEADERS, CALL_REQUEST_HEADERS } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';
import { responseEvent } from '../http/response-failure.js';
import { NO_CANDIDATE, ROUTING_REQUEST_HEADERS } from '../routing/routing-docs.js';
import { ResponseObject } from './dto/response.dto.js';
import { responseBegun } from './response-object.js';

const hello = { input: 'Hello' };
const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const model = { id: 'sandbox/echo' };
const begun = responseBegun({ id: 'e50c4e05', created: 1795203857, model, body: {} });
const usage = {
  input_tokens: 2,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 6,
};
const bill = { cost: 0.00001, provider: 'sandbox' };
const text = 'You said: Hello';
const part = { type: 'output_text', annotations: [], logprobs: [], text };
const item_id = 'msg_e50c4e05_0';
const message = {
  id: item_id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [part],
};

/** `POST /v3/responses` */
export const CREATE_RESPONSE: RouteDocs = {
  operationId: 'createResponse',
  summary: 'Create a response',
  description: `Takes the items of a conversation and answers with the next ones, in the format of
[OpenAI’s Responses API](https://platform.openai.com/docs/api-reference/responses/create), from any chat
model of any provider. Fields that are not listed go on to the provider as they came.

- **Nothing is stored**: the answer says \`store: false\`. Send the whole conversation each time;
  \`store: true\`, \`previous_response_id\`, \`conversation\`, \`prompt\`, \`background: true\` and
  items that are named by their id only (\`item_reference\`) are refused with 400.
- **Reasoning** comes back as items with \`encrypted_content\`; send them back unchanged, and the model
  goes on from its own thoughts.
- **Tools**: functions, custom tools, namespaces, shells, patches and tool search reach every model.
  Tools that OpenAI itself runs (web search, file search, code interpreter, MCP, …) are left out for
  the models of other providers, or refused with 400 where \`tool_choice\` forces one.
- **Streaming**: with \`stream: true\` the answer is a stream of events, numbered from 0. The last one,
  \`response.completed\` or \`response.incomplete\`, holds the whole response with its usage, cost and
  provider. A stream that breaks off ends in \`error\` and \`response.failed\`.
- **Fallbacks and routing**: \`fallbacks\`, \`router_candidates\` and the model \`@router\` work as they
  do for messages.`,
  family: 'openai',
  access: 'key',
  sends: { ...CALL_REQUEST_HEADERS, ...ROUTING_REQUEST_HEADERS },
  requests: {
    text: { model: 'sandbox/echo', ...hello },
    'streamed-text': { model: 'sandbox/echo', ...hello, stream: true },
    'instructions-and-settings': {
      model: 'sandbox/echo',
      ...hello,
      instructions: 'You answer in one sentence.',
      temperature: 0.2,
      max_output_tokens: 100,
      user: 'user-42',
    },
    'conversation-of-items': {
      model: 'sandbox/echo',
      input: [
        { role: 'developer', content: 'You answer in one sentence.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello, who are you?' }],
        },
        { role: 'user', content: 'A fox.' },
      ],
      store: false,
      include: ['reasoning.encrypted_content'],
    },
    'tool-call': {
      model: 'sandbox/echo',
      input: 'What is the weather in Lyon?',
      tools: [weather],
      tool_choice: { type: 'function', name: 'get_weather' },
    },
    'structured-output': {
      model: 'sandbox/echo',
      ...hello,
      text: {
        format: {
          type: 'json_schema',
          name: 'greeting',
          schema: {
            type: 'object',
            properties: { greeting: { type: 'string' } },
            required: ['greeting'],
            additionalProperties: false,
          },
        },
      },
    },
    ...severalModels(hello),
  },
  answers: {
    200: {
      description: 'The response, or the events of its stream.',
      type: ResponseObject,
      headers: CALL_HEADERS,
      examples: {
        text: { ...begun, status: 'completed', output: [message], usage, ...bill },
        'tool-call': {
          ...begun,
          status: 'completed',
          tools: [weather],
          tool_choice: { type: 'function', name: 'get_weather' },
          output: [
            {
              id: 'fc_e50c4e05_0',
              type: 'function_call',
              status: 'completed',
              call_id: 'toolu_61aa748f',
              name: 'get_weather',
              arguments: '{"city":"text"}',
            },
          ],
          usage,
          ...bill,
        },
      },
      streams: {
        text: events(
          ['response.created', { response: begun }],
          ['response.in_progress', { response: begun }],
          [
            'response.output_item.added',
            { output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
          ],
          ['response.content_part.added', { ...inPart(), part: { ...part, text: '' } }],
          ['response.output_text.delta', { ...inPart(), delta: 'You said: ', logprobs: [] }],
          ['response.output_text.delta', { ...inPart(), delta: 'Hello', logprobs: [] }],
          ['response.output_text.done', { ...inPart(), text, logprobs: [] }],
          ['response.content_part.done', { ...inPart(), part }],
          ['response.output_item.done', { output_index: 0, item: message }],
          [
            'response.completed',
            { response: { ...begun, status: 'completed', output: [message], usage, ...bill } },
          ],
        ),
      },
    },
  },
  errors: [...CALL_ERRORS, ...USUAL_ERRORS[400].examples, NO_CANDIDATE],
};

function inPart(): object {
  return { item_id, output_index: 0, content_index: 0 };
}

function events(...list: readonly (readonly [string, object])[]): string {
  return list
    .map(([type, fields], sequence_number) => responseEvent(type, { ...fields, sequence_number }))
    .join('');
}
