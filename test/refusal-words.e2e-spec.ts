import { describe, expect, it } from '@jest/globals';
import { MODELS, useScriptedGateway } from './support/scripted-upstream.js';

const { anthropic, converse, cohere, gemini } = MODELS;
const RESPONSES_ONLY = 'openai/gpt-5.5-pro';
const DEEPSEEK = 'deepseek/deepseek-v4-flash';
const PATHS = {
  messages: '/v3/v1/messages',
  chat: '/v3/chat/completions',
  responses: '/v3/responses',
};

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const pdf = 'JVBERi0=';
const bmp = 'data:image/bmp;base64,Qk0=';
const remote = 'https://example.org/a.png';

const said = (content: unknown, role = 'user') => ({ role, content });
const text = (value: string) => ({ type: 'text', text: value });
const chatImage = (url: string) => ({ type: 'image_url', image_url: { url } });
const chatFile = {
  type: 'file',
  file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
};
const speech = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
const chatCall = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
});
const inputImage = (image_url: string) => ({ type: 'input_image', image_url });
const inputFile = {
  type: 'input_file',
  filename: 'a.pdf',
  file_data: `data:application/pdf;base64,${pdf}`,
};
const system = said('Be brief.', 'system');
const messageImage = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/bmp', data: 'Qk0=' },
};

const IN_CHAT: readonly [string, string, object, string, string][] = [
  ['texts to stop at', RESPONSES_ONLY, { stop: ['a'] }, 'stop', 'cannot be stopped by a text'],
  [
    'a picture of a kind that the model does not know',
    converse,
    { messages: [system, said('A'), said([text(''), text('B'), chatImage(bmp)])] },
    'messages[2].content[2].image_url',
    'must be image/png, jpeg, gif or webp.',
  ],
  [
    'a picture that is to be fetched',
    converse,
    { messages: [system, said([chatImage(remote)])] },
    'messages[1].content[0].image_url',
    'send the bytes',
  ],
  [
    'a picture with a mark on its message',
    converse,
    {
      messages: [
        system,
        { ...said([text('A'), chatImage(bmp)]), cache_control: { type: 'ephemeral' } },
      ],
    },
    'messages[1].content[1].image_url',
    'must be image/png',
  ],
  [
    'a picture in a result',
    converse,
    {
      messages: [
        said('Look'),
        chatCall('c1'),
        { role: 'tool', tool_call_id: 'c1', content: [text('Here'), chatImage(bmp)] },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
    },
    'messages[2].content[1].image_url',
    'must be image/png',
  ],
  [
    'speech for who does not hear',
    anthropic,
    // Claude is not told of the blank turn, nor are the two behind it apart.
    { messages: [system, said(' '), said('A', 'assistant'), said('B'), said([text('C'), speech])] },
    'messages[4].content[1].type',
    "'input_audio' has no counterpart",
  ],
  [
    'a file for who reads none',
    DEEPSEEK,
    { messages: [system, said([text('A'), chatFile])] },
    'messages[1].content[1].type',
    'reads no files',
  ],
  [
    'a document for who reads text',
    cohere,
    { messages: [system, said([text('A'), chatFile])] },
    'messages[1].content[1].file',
    'must be text for this model',
  ],
  [
    'a result of no call',
    gemini,
    { messages: [said('A'), { role: 'tool', tool_call_id: 'c9', content: 'B' }] },
    'messages[1].tool_call_id',
    'earlier turn',
  ],
  [
    'a search',
    converse,
    { web_search_options: {} },
    'web_search_options',
    'the tool "web_search" is known to Anthropic only',
  ],
  [
    'a tool of Anthropic’s behind others',
    cohere,
    {
      functions: [{ name: 'look', parameters: schema }],
      tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }],
    },
    'tools[0].type',
    'the tool "web_fetch" is known to Anthropic only',
  ],
  [
    'bounds of a search',
    gemini,
    {
      tools: [
        { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.org'] },
      ],
    },
    'tools[0].allowed_domains',
    'cannot be promised',
  ],
  [
    'a schema that is none',
    cohere,
    { output_config: { format: { type: 'grammar' } } },
    'output_config.format.type',
    'must be json_schema',
  ],
  ['a field beyond both formats', gemini, { logit_bias: { 1: 2 } }, 'logit_bias', 'no counterpart'],
  [
    'a schema for who answers by none',
    RESPONSES_ONLY,
    {
      stop: ['a'],
      fallbacks: [converse],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    },
    'response_format',
    'answers by no schema',
  ],
  [
    'more texts to stop at than another model takes',
    RESPONSES_ONLY,
    { stop: ['a', 'b', 'c', 'd', 'e', 'f'], fallbacks: [cohere] },
    'stop',
    '5 texts at most',
  ],
  ['servers of tools', cohere, { mcp_servers: [{ name: 'a' }] }, 'mcp_servers', 'Anthropic only'],
];

const IN_RESPONSES: readonly [string, string, object, string, string][] = [
  [
    'a picture of a kind that the model does not know',
    converse,
    {
      instructions: 'Be brief.',
      input: [said('A'), said([{ type: 'input_text', text: '' }, inputImage(bmp)])],
    },
    'input[1].content[1].image_url',
    'must be image/png, jpeg, gif or webp.',
  ],
  [
    'a picture that is to be fetched',
    converse,
    { input: [said([inputImage(remote)])] },
    'input[0].content[0].image_url',
    'send the bytes',
  ],
  [
    'a picture in a result',
    converse,
    {
      input: [
        said('Look'),
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        said('And?'),
        { type: 'function_call_output', call_id: 'c1', output: [inputImage(bmp)] },
      ],
      tools: [{ type: 'function', name: 'look', parameters: schema }],
    },
    'input[3].output[0].image_url',
    'must be image/png',
  ],
  [
    'a picture that the model drew',
    cohere,
    { input: [said('A'), { type: 'image_generation_call', id: 'i', result: pdf }, said('B')] },
    'input[1].type',
    "'image' has no counterpart",
  ],
  [
    'a file for who reads none',
    DEEPSEEK,
    { instructions: 'Be brief.', input: [said([inputFile])] },
    'input[0].content[0].file_data',
    'reads no files',
  ],
  [
    'a document for who reads text',
    cohere,
    { input: [said([{ type: 'input_text', text: 'A' }, inputFile])] },
    'input[0].content[1].file_data',
    'must be text for this model',
  ],
  [
    'a schema for who answers by none',
    cohere,
    {
      input: [said([inputFile])],
      fallbacks: [converse],
      text: { format: { type: 'json_schema', name: 'a', schema } },
    },
    'text.format',
    'answers by no schema',
  ],
];

const IN_MESSAGES: readonly [string, string, object, string, string][] = [
  [
    'a block without a type',
    cohere,
    { system: [{ text: 'Be brief.' }] },
    'system[0].type',
    'must be a string',
  ],
  [
    'a picture of a kind that the model does not know',
    converse,
    { system: 'Be brief.', messages: [said('A'), said([text('B'), messageImage])] },
    'messages[1].content[1].source.media_type',
    'must be image/png',
  ],
  ['texts to stop at', RESPONSES_ONLY, { stop_sequences: ['a'] }, 'stop_sequences', 'stopped'],
  [
    'a schema that is none',
    cohere,
    { output_config: { format: { type: 'grammar' } } },
    'output_config.format.type',
    'must be json_schema',
  ],
  [
    'a file for who reads none',
    DEEPSEEK,
    {
      system: 'Be brief.',
      messages: [
        said([
          text('A'),
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: pdf },
          },
        ]),
      ],
    },
    'messages[0].content[1].type',
    'reads no files',
  ],
];

describe('a refusal of what a model’s format has no words for', () => {
  const { upstream, post } = useScriptedGateway();
  const asked = { max_tokens: 10, messages: [said('Hello')] };

  describe.each([false, true])('with stream: %s', (stream) => {
    it.each(IN_CHAT)('names %s by a chat’s words', async (_, model, more, param, reason) => {
      const { body } = await post(PATHS.chat, { ...asked, model, stream, ...more }).expect(400);
      expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
      expect(body.error.message).toMatch(`${param}: `);
      expect(body.error.message).toContain(reason);
      expect(upstream.received).toEqual([]);
    });

    it.each(IN_RESPONSES)('names %s by Responses’ words', async (_, model, more, param, reason) => {
      const request = { model, input: 'Hello', stream, ...more };
      const { body } = await post(PATHS.responses, request).expect(400);
      expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
      expect(body.error.message).toMatch(`${param}: `);
      expect(body.error.message).toContain(reason);
      expect(upstream.received).toEqual([]);
    });

    it.each(IN_MESSAGES)('names %s by Messages’ words', async (_, model, more, param, reason) => {
      const { body } = await post(PATHS.messages, { ...asked, model, stream, ...more }).expect(400);
      expect(body.error.type).toBe('invalid_request_error');
      expect(body.error.message).toMatch(`${param}: `);
      expect(body.error.message).toContain(reason);
      expect(upstream.received).toEqual([]);
    });
  });
});
