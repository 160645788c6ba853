import { severalModels } from '../http/api-call-examples.js';
import { USUAL_ERRORS } from '../http/api-error-examples.js';
import { CALL_ERRORS } from '../http/api-errors.js';
import { CALL_HEADERS, CALL_REQUEST_HEADERS } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';
import { NO_CANDIDATE, ROUTING_REQUEST_HEADERS } from '../routing/routing-docs.js';
import { ChatCompletion } from './dto/chat-completion.dto.js';

const hello = { messages: [{ role: 'user', content: 'Hello' }] };
const identity = { id: 'chatcmpl-e50c4e05', created: 1795203857, model: 'sandbox/echo' };
const usage = { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 };
const bill = { cost: 0.00001, provider: 'sandbox' };

/** `POST /v3/chat/completions` */
export const CREATE_CHAT_COMPLETION: RouteDocs = {
  operationId: 'createChatCompletion',
  summary: 'Create a chat completion',
  description: `Takes a conversation and answers with the next message, in the format of
[OpenAI’s chat completions](https://platform.openai.com/docs/api-reference/chat/create), from any chat
model of any provider. A provider that speaks this format gets the request as it came, with the
fields that are not listed. For any other the request and the answer are translated, and what has no
counterpart there is refused with 400 and the name of the field. Image models are refused with 400:
they are served by the image endpoints only.

- **Streaming**: with \`stream: true\` the answer is a stream of chunks that ends in \`data: [DONE]\`.
  With \`stream_options.include_usage\` the last chunk carries the usage, the cost and the provider. A
  stream that breaks off ends in a chunk with an \`error\`.
- **Thinking** of a translated model is in \`reasoning_content\`, and with its proofs in
  \`reasoning_details\`; send the message back as it came and the model goes on from there.
- **Prompt caching**: \`cache_control\` on a message, a part of its content or a tool reaches
  providers that have it.
- **Fallbacks and routing**: \`fallbacks\`, \`router_candidates\` and the model \`@router\` work as they
  do for messages.`,
  family: 'openai',
  access: 'key',
  sends: { ...CALL_REQUEST_HEADERS, ...ROUTING_REQUEST_HEADERS },
  requests: {
    text: { model: 'sandbox/echo', ...hello },
    'streamed-text': {
      model: 'sandbox/echo',
      ...hello,
      stream: true,
      stream_options: { include_usage: true },
    },
    'system-prompt-and-settings': {
      model: 'sandbox/echo',
      messages: [{ role: 'system', content: 'You answer in one sentence.' }, ...hello.messages],
      temperature: 0.2,
      max_completion_tokens: 100,
      user: 'user-42',
    },
    'tool-call': {
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'What is the weather in Lyon?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'The weather in a city',
            parameters: {
              type: 'object',
              properties: { city: { type: 'string' } },
              required: ['city'],
            },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    },
    'structured-output': {
      model: 'sandbox/echo',
      ...hello,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'greeting',
          schema: {
            type: 'object',
            properties: { greeting: { type: 'string' } },
            required: ['greeting'],
          },
        },
      },
    },
    'cached-prompt': {
      model: 'sandbox/echo',
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'A long handbook', cache_control: { type: 'ephemeral' } },
          ],
        },
        ...hello.messages,
      ],
    },
    ...severalModels(hello),
  },
  answers: {
    200: {
      description: 'The completion, or the chunks of its stream.',
      type: ChatCompletion,
      headers: CALL_HEADERS,
      examples: {
        text: completion({ content: 'You said: Hello' }, 'stop'),
        'tool-call': completion(
          {
            content: null,
            tool_calls: [
              {
                id: 'call_61aa748f',
                type: 'function',
                function: { name: 'get_weather', arguments: '{"city":"text"}' },
              },
            ],
          },
          'tool_calls',
        ),
      },
      streams: {
        'with-usage': chunks(
          { choices: [choice({ role: 'assistant', content: '' })] },
          { choices: [choice({ content: 'You said: ' })] },
          { choices: [choice({ content: 'Hello' })] },
          { choices: [choice({}, 'stop')] },
          { choices: [], usage, ...bill },
        ),
      },
    },
  },
  errors: [...CALL_ERRORS, ...USUAL_ERRORS[400].examples, NO_CANDIDATE],
};

function completion(message: object, finish_reason: string): object {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }];
  return { object: 'chat.completion', ...identity, choices, usage, ...bill };
}

function choice(delta: object, finish_reason: string | null = null): object {
  return { index: 0, delta, finish_reason };
}

function chunks(...list: readonly object[]): string {
  const texts = list.map((chunk) =>
    JSON.stringify({ object: 'chat.completion.chunk', ...identity, ...chunk }),
  );
  return [...texts, '[DONE]'].map((text) => `data: ${text}\n\n`).join('');
}
