import { beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPLETION, MESSAGE } from './support/provider-answers.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const GPT = 'openai/gpt-4.1';
const DEEPSEEK = 'deepseek/deepseek-chat';
const SONAR = 'perplexity/sonar';
/** It refuses a tool that it has to call. */
const CLAUDE = 'anthropic/claude-opus-5-5';
const UNKNOWN = 'local/unknown';
const TOLD = 'local/told';

const row =
  '{ endpoints: [messages], pricing: { input_cost_per_token: 0, output_cost_per_token: 0 }';
const MODELS_FILE = join(mkdtempSync(join(tmpdir(), 'lacks-')), 'models.yaml');

const DATA = 'iVBORw0KGgo=';
const CHAT = '/v3/chat/completions';
const MESSAGES = '/v3/v1/messages';
const RESPONSES = '/v3/responses';
const said = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const text = { type: 'text', text: 'Look' };
const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } };
const source = { type: 'base64', media_type: 'image/png', data: DATA };
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' };
const chatTool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
const PICTURES: readonly (readonly [path: string, body: object])[] = [
  [CHAT, said(text, picture)],
  [MESSAGES, { max_tokens: 9, ...said(text, { type: 'image', source }) }],
  [
    RESPONSES,
    {
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: picture.image_url.url }] },
      ],
    },
  ],
];
const DOCUMENT = { max_tokens: 9, ...said(text, { type: 'document', source: pdf }) };

describe('a fallback that is known not to take the request', () => {
  const { upstream, post } = useGatewayBefore((url) => {
    writeFileSync(
      MODELS_FILE,
      `providers:\n  local: { format: openai, base_url: '${url}/local/v1' }\nmodels:\n` +
        `  ${UNKNOWN}: ${row} }\n` +
        `  ${TOLD}: ${row}, context_length: 1000, capabilities: { input_modalities: [text], supports_function_calling: false } }\n`,
    );
    return {
      ...usualProviders(url),
      DEEPSEEK_API_KEY: 'upstream-deepseek-key',
      DEEPSEEK_BASE_URL: `${url}/deepseek/v1`,
      PERPLEXITY_API_KEY: 'upstream-perplexity-key',
      PERPLEXITY_BASE_URL: `${url}/perplexity`,
      MISTRAL_API_KEY: 'upstream-mistral-key',
      MISTRAL_BASE_URL: `${url}/mistral/v1`,
      MODELS_FILE,
      BREAKER: 'off',
    };
  });

  /** How often the model that was named fails, before it answers as the others do. */
  let failures = 0;
  beforeEach(() => {
    upstream.received.length = 0;
    upstream.answers((response, { path }) => {
      const fails = path.startsWith('/openai') && failures-- > 0;
      const object = path.endsWith('/responses') ? 'response' : 'chat.completion';
      const answer = {
        ...MESSAGE,
        ...COMPLETION,
        object,
        status: 'completed',
        output: [{ type: 'message' }],
      };
      response.writeHead(fails ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(fails ? { error: { message: 'Busy' } } : answer));
    });
  });

  const attemptsAt = async (path: string, fallback: string, body: object, status: number) => {
    const { headers } = await post(path, { model: GPT, fallbacks: [fallback], ...body }).expect(
      status,
    );
    return String(headers['x-causeway-attempts']);
  };

  it.each(PICTURES)('leaves its retries to the model before it (%s)', async (path, body) => {
    failures = 1;
    expect(await attemptsAt(path, DEEPSEEK, body, 200)).toBe(`${GPT}:503, ${GPT}:ok`);
  });

  it.each<[string, string, string, object]>([
    ...PICTURES.map(([path, body]): [string, string, string, object] => [
      'a picture',
      DEEPSEEK,
      path,
      body,
    ]),
    ['a document', DEEPSEEK, MESSAGES, DOCUMENT],
    ['tools', SONAR, CHAT, { tools: [chatTool], ...said(text) }],
    ['tools', SONAR, RESPONSES, { tools: [{ type: 'function', name: 'f' }], input: 'Hi' }],
    [
      'tools',
      SONAR,
      MESSAGES,
      { tools: [{ name: 'f', input_schema: {} }], ...DOCUMENT, ...said(text) },
    ],
    [
      'a tool that it has to call',
      CLAUDE,
      CHAT,
      { tools: [chatTool], tool_choice: 'required', ...said(text) },
    ],
    [
      'a tool that it has to call',
      CLAUDE,
      MESSAGES,
      {
        max_tokens: 9,
        tools: [{ name: 'f', input_schema: {} }],
        tool_choice: { type: 'tool', name: 'f' },
        ...said(text),
      },
    ],
    [
      'a tool that it has to call',
      CLAUDE,
      RESPONSES,
      {
        tools: [{ type: 'function', name: 'f' }],
        tool_choice: { type: 'function', name: 'f' },
        input: 'Hi',
      },
    ],
    ['a long prompt', TOLD, CHAT, said({ type: 'text', text: 'word '.repeat(1_500) })],
    ['a long text', TOLD, RESPONSES, { input: 'word '.repeat(1_500) }],
    ['a longer one', TOLD, CHAT, said({ type: 'text', text: 'word '.repeat(400_000) })],
    ['a picture by its own row', TOLD, CHAT, said(text, picture)],
    ['tools by its own row', TOLD, CHAT, { tools: [chatTool], ...said(text) }],
  ])(
    'leaves the last word to the model before it: %s (%s, %s)',
    async (_, fallback, path, body) => {
      failures = 9;
      const attempts = await attemptsAt(path, fallback, body, 502);
      // As often as the budget of retries allows.
      expect(new Set(attempts.split(', '))).toEqual(new Set([`${GPT}:503`]));
      expect(upstream.received.every((asked) => asked.path.startsWith('/openai'))).toBe(true);
    },
  );

  it.each<[string, string, string, object]>([
    [
      'a document of text',
      DEEPSEEK,
      MESSAGES,
      {
        max_tokens: 9,
        ...said({
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'Hi' },
        }),
      },
    ],
    [
      'a file of text',
      DEEPSEEK,
      RESPONSES,
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,SGk=' },
            ],
          },
        ],
      },
    ],
    [
      'a picture that is left out on the way',
      DEEPSEEK,
      CHAT,
      {
        messages: [
          { role: 'user', content: 'Draw' },
          { role: 'assistant', content: 'Here', images: [picture] },
          { role: 'user', content: 'Thanks' },
        ],
      },
    ],
    [
      'thoughts that are left out on the way',
      TOLD,
      MESSAGES,
      {
        max_tokens: 9,
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'word '.repeat(9_000), signature: 's' },
              { type: 'text', text: 'Hello' },
            ],
          },
          { role: 'user', content: 'Go on' },
        ],
      },
    ],
    ['a document that its provider reads', 'mistral/mistral-large-latest', MESSAGES, DOCUMENT],
    [
      'tools that may not be called',
      SONAR,
      CHAT,
      { tools: [chatTool], tool_choice: 'none', ...said(text) },
    ],
    [
      'tools of which it may choose',
      CLAUDE,
      CHAT,
      { tools: [chatTool], tool_choice: 'auto', ...said(text) },
    ],
    [
      'a tool that it can be made to call',
      'anthropic/claude-haiku-5-5',
      CHAT,
      { tools: [chatTool], tool_choice: 'required', ...said(text) },
    ],
    ['what OpenAI runs', SONAR, RESPONSES, { tools: [{ type: 'web_search' }], input: 'Hi' }],
    ['a prompt that may fit', TOLD, CHAT, said({ type: 'text', text: 'word '.repeat(1_000) })],
    [
      'anything of which its row says nothing',
      UNKNOWN,
      CHAT,
      { tools: [chatTool], ...said(text, picture) },
    ],
  ])('is asked what it may take: %s (%s, %s)', async (_, fallback, path, body) => {
    failures = 9;
    expect(await attemptsAt(path, fallback, body, 200)).toBe(`${GPT}:503, ${fallback}:ok`);
  });

  it('judges for itself what it is asked where it is the one that was named', async () => {
    await post(CHAT, { model: DEEPSEEK, ...said(text, picture) }).expect(200);
    expect(upstream.received.map(({ path }) => path)).toEqual(['/deepseek/v1/chat/completions']);
  });
});
