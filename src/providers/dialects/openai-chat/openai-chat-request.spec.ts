import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { modelNamed } from '../../../../test/support/translation.js';
import { assistant, refusalOf, result, text, use, user } from '../../../../test/support/blocks.js';
import { type Capabilities } from '../../../contract/model.js';
import { openaiChatCodec } from './openai-chat-codec.js';

interface SentMessage {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

interface Sent {
  messages: SentMessage[];
  tools: { function: { name: string; parameters?: unknown } }[];
  tool_choice: { function: { name: string } };
  user: string;
  [field: string]: unknown;
}

const encode = (
  request: object,
  { stream = false, capabilities = {} }: { stream?: boolean; capabilities?: Capabilities } = {},
) => {
  const [call, ...more] = openaiChatCodec.encode({
    request: { model: 'openai/gpt-x', messages: [], ...request },
    model: modelNamed('openai/gpt-x', { capabilities }),
    place: {},
    headers: { authorization: 'Bearer of-the-caller', 'anthropic-beta': 'b' },
    stream,
    inputEstimate: 1,
    id: 'req_1',
    created: 0,
  });
  expect(more).toEqual([]);
  expect(call).toMatchObject({ path: '/chat/completions', framing: stream ? 'sse' : 'none' });
  expect(call?.headers).toBeUndefined();
  return (call?.body as unknown as { json: Sent }).json;
};
const messagesOf = (...messages: object[]) => encode({ messages }).messages;
const refused = (request: object) => refusalOf(() => encode(request));

describe('openai chat request: the conversation', () => {
  it('sends the system prompt first, as a string or with its blocks kept apart', () => {
    expect(encode({ system: 'S' }).messages).toEqual([{ role: 'system', content: 'S' }]);
    const blocks = [{ ...text('a'), cache_control: { type: 'ephemeral' } }, text('b')];
    expect(encode({ system: blocks }).messages).toEqual([
      { role: 'system', content: [text('a'), text('b')] },
    ]);
    expect(encode({ system: [text('only')] }).messages[0]?.content).toBe('only');
    expect(encode({ system: [] }).messages).toEqual([]);
  });

  it('keeps a system turn in its place', () => {
    const turns = [user(text('a')), assistant(text('b')), { role: 'system', content: 'now' }];
    expect(messagesOf(...turns).map(({ role }) => role)).toEqual(['user', 'assistant', 'system']);
  });

  it('sends images as data or by address and documents as files or text, in their order', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBO' };
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' };
    const plain = { type: 'text', media_type: 'text/plain', data: 'D' };
    const [message] = messagesOf(
      user(
        text('look'),
        { type: 'image', source },
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
        { type: 'document', source: pdf, title: 'Report', context: 'C' },
        { type: 'document', source: pdf },
        { type: 'document', source: plain, title: 'T' },
      ),
    );
    expect(message?.content).toEqual([
      text('look'),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
      { type: 'image_url', image_url: { url: 'https://x/y.png' } },
      text('C'),
      {
        type: 'file',
        file: { filename: 'Report.pdf', file_data: 'data:application/pdf;base64,JVBE' },
      },
      {
        type: 'file',
        file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBE' },
      },
      text('T\n\nD'),
    ]);
  });

  it('sends documents in pieces and what a search found as text, with their pictures', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBO' };
    const pieces = { type: 'content', content: [text('one'), { type: 'image', source }] };
    const found = { type: 'search_result', source: 'https://x.test', title: 'X' };
    const [message, tool] = [
      messagesOf(
        user(
          { type: 'document', source: pieces, title: 'T', context: 'C' },
          { type: 'document', source: { type: 'content', content: 'whole' } },
          { ...found, content: [text('first'), text('second')], citations: { enabled: true } },
        ),
      )[0],
      messagesOf(
        assistant(use('c', 'f')),
        user(result('c', [{ ...found, content: [text('found')] }])),
      )[1],
    ];
    expect(message?.content).toEqual([
      text('T\n\nC'),
      text('one'),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
      text('whole'),
      text('X\nhttps://x.test'),
      text('first'),
      text('second'),
    ]);
    expect(tool).toMatchObject({ role: 'tool', content: 'X\nhttps://x.test\nfound' });
  });

  it('sends tool calls with their arguments in the order of the keys, after the text', () => {
    const turn = assistant(
      text('calling'),
      use('c1', 'f', { z: 1, a: { n: null } }),
      use('c2', 'g'),
    );
    expect(messagesOf(turn)).toEqual([
      {
        role: 'assistant',
        content: 'calling',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'f', arguments: '{"z":1,"a":{"n":null}}' },
          },
          { id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
    ]);
    expect(messagesOf(assistant(use('c1')))[0]?.content).toBeNull();
  });

  it('puts one tool message for each id right behind the calls, whatever stands between', () => {
    const sent = messagesOf(
      assistant(use('c1'), use('c2')),
      user(text('before'), result('c1', 'one')),
      { role: 'system', content: 'note' },
      user(result('c2', [text('two'), text('lines')]), result('c1', 'more'), text('after')),
    );
    expect(sent.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'one\nmore' },
      { role: 'tool', tool_call_id: 'c2', content: 'two\nlines' },
      { role: 'user', content: 'before' },
      { role: 'system', content: 'note' },
      { role: 'user', content: 'after' },
    ]);
  });

  it('joins assistant turns that follow each other, so that no call is cut from its result', () => {
    const sent = messagesOf(assistant(use('c1')), assistant(use('c2')), user(result('c1', '1')));
    expect(sent.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(sent[0]?.tool_calls).toHaveLength(2);
  });

  it('keeps a failure in the text of the result, and an empty result empty', () => {
    const sent = messagesOf(
      assistant(use('a'), use('b'), use('c')),
      user(result('a', 'ENOENT', { is_error: true }), result('b', undefined), result('c', [])),
    );
    expect(sent.slice(1).map(({ content }) => content)).toEqual(['{"error":"ENOENT"}', '', '']);
  });

  it('moves images of a result into the user message behind it', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://x/y.png' } };
    const sent = messagesOf(
      assistant(use('c')),
      user(result('c', [image, text('seen')]), text('?')),
    );
    expect(sent.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'c', content: 'seen' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'https://x/y.png' } }, text('?')],
      },
    ]);
  });

  it('drops thinking of earlier turns, which only its issuer can read', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const redacted = { type: 'redacted_thinking', data: 'x' };
    expect(messagesOf(assistant(thinking, redacted, text('so')))).toEqual([
      { role: 'assistant', content: 'so' },
    ]);
    expect(messagesOf(user(text('a')), assistant(thinking))).toHaveLength(1);
  });

  it('shortens ids of other providers alike in call and result, and keeps them apart', () => {
    const [one, two] = ['x'.repeat(60) + '1', 'x'.repeat(60) + '2'];
    const sent = messagesOf(
      assistant(use(one), use(two)),
      user(result(one, '1'), result(two, '2')),
    );
    const ids = sent[0]?.tool_calls?.map(({ id }) => id);
    expect(sent.slice(1).map((message) => message.tool_call_id)).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
    expect(ids?.every((id) => id.length <= 40)).toBe(true);
  });

  it.each([
    ['messages[0].content[1].type', user(text('a'), { type: 'container_upload', file_id: 'f' })],
    ['messages[0].content[0].type', user({ type: 'constructor' })],
    ['messages[0].content[0].type', user(use('c'))],
    ['messages[0].content[0].type', assistant(result('c', 'x'))],
    [
      'messages[0].content[0].type',
      assistant({ type: 'image', source: { type: 'url', url: 'u' } }),
    ],
    ['messages[0].content[0].text', user({ type: 'text' })],
    ['messages[0].content[0].source', user({ type: 'image' })],
    ['messages[0].content[0].source.type', user({ type: 'image', source: { type: 'file' } })],
    ['messages[0].content[0].source.url', user({ type: 'image', source: { type: 'url' } })],
    [
      'messages[0].content[0].source.data',
      user({ type: 'image', source: { type: 'base64', media_type: 'image/png' } }),
    ],
    [
      'messages[0].content[0].source.type',
      user({ type: 'document', source: { type: 'url', url: 'u' } }),
    ],
    [
      'messages[0].content[0].source.media_type',
      user({ type: 'document', source: { type: 'base64', media_type: 'text/csv', data: '' } }),
    ],
    ['messages[0].content[0].id', assistant({ type: 'tool_use', name: 'f', input: {} })],
    ['messages[0].content[0].name', assistant({ type: 'tool_use', id: 'c', input: {} })],
    ['messages[0].content[0].input', assistant({ type: 'tool_use', id: 'c', name: 'f' })],
    ['messages[0].content[0].tool_use_id', user({ type: 'tool_result', content: 'x' })],
    ['messages[0].content[0].content[0].type', user(result('c', [null]))],
    [
      'messages[0].content[0].content[1].type',
      user(result('c', [text('a'), { type: 'hologram' }])),
    ],
  ])('refuses %s instead of dropping it', (param, turn) => {
    const { status, code, details, message } = refused({ messages: [turn] });
    expect({ status, code, param: details.param }).toEqual({
      status: 400,
      code: 'invalid_request',
      param,
    });
    expect(message).toContain(param);
  });

  it('refuses a thread in the words that make Anthropic’s SDK send the whole conversation', () => {
    const { status, details } = refused({ thread: { type: 'create' } });
    expect({ status, details }).toMatchObject({
      status: 400,
      details: { upstream: { details: { error_code: 'thread_unsupported_request' } } },
    });
  });
});

describe('openai chat request: tools', () => {
  const schema = { type: 'object', properties: { q: { type: 'string' } } };

  it('sends tools as functions', () => {
    const tool = { name: 'f', description: 'D', input_schema: schema };
    const extras = { type: 'custom', cache_control: {}, defer_loading: true };
    expect(encode({ tools: [{ ...tool, ...extras }, { name: 'g' }] }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'f', description: 'D', parameters: schema },
      },
      { type: 'function', function: { name: 'g' } },
    ]);
  });

  it.each([
    ['each argument', { ...schema, required: ['q'], additionalProperties: false }, true],
    ['not each argument', { ...schema, required: [], additionalProperties: false }, false],
    ['any arguments besides', { ...schema, required: ['q'] }, false],
  ])(
    'makes a strict function that wants %s strict where OpenAI would',
    (_, input_schema, strict) => {
      const { tools } = encode({ tools: [{ name: 'f', input_schema, strict: true }] });
      expect(tools).toEqual([
        { type: 'function', function: { name: 'f', parameters: input_schema, strict } },
      ]);
    },
  );

  it('says that an object without properties has none, which OpenAI wants to be told', () => {
    const { tools } = encode({ tools: [{ name: 'f', input_schema: { type: 'object' } }] });
    expect(tools[0]?.function.parameters).toEqual({ type: 'object', properties: {} });
  });

  it('sends no empty list of tools, and no choice among none', () => {
    const body = encode({
      tools: [],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    expect(Object.keys(body)).toEqual(['model', 'messages']);
  });

  it.each([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
    [
      { type: 'tool', name: 'f' },
      { type: 'function', function: { name: 'f' } },
    ],
  ])('sends the choice %j as %j', (tool_choice, sent) => {
    const body = encode({ tools: [{ name: 'f' }], tool_choice });
    expect(body.tool_choice).toEqual(sent);
    expect(body).not.toHaveProperty('parallel_tool_calls');
    const single = { ...tool_choice, disable_parallel_tool_use: true };
    expect(encode({ tools: [{ name: 'f' }], tool_choice: single }).parallel_tool_calls).toBe(false);
  });

  it.each([
    [
      { tools: [{ name: 'f' }, { type: 'web_search_20250305', name: 'web_search' }] },
      'tools[1].type',
      'web_search',
    ],
    [{ tools: [{ type: 'mcp_toolset' }] }, 'tools[0].type', 'mcp_toolset'],
    [{ tools: [{ input_schema: schema }] }, 'tools[0].name', 'string'],
    [{ tools: [{ name: 'f' }], tool_choice: { type: 'odd' } }, 'tool_choice.type', 'auto'],
    [{ tools: [{ name: 'f' }], tool_choice: { type: 'tool' } }, 'tool_choice.name', 'string'],
  ])('refuses %j', (request, param, word) => {
    const { status, details, message } = refused(request);
    expect({ status, param: details.param }).toEqual({ status: 400, param });
    expect(message).toContain(word);
  });

  it('sends names that OpenAI refuses under another one, the same in tools, choice and history', () => {
    const name = 'mcp.server/tool with spaces';
    const { tools, tool_choice, messages } = encode({
      tools: [{ name }],
      tool_choice: { type: 'tool', name },
      messages: [assistant(use('c', name))],
    });
    const sent = tools[0]?.function.name;
    expect(sent).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(tool_choice.function.name).toBe(sent);
    expect(messages[0]?.tool_calls?.[0]?.function.name).toBe(sent);
  });

  it('follows the changes of tools in system turns, as coding agents make them', () => {
    const change = (type: string, tool: object) => ({ role: 'system', content: [{ type, tool }] });
    const reference = (name: string) => ({ type: 'tool_reference', name });
    const { tools, messages } = encode({
      tools: [{ name: 'a' }, { name: 'b', defer_loading: true }, { name: 'c' }],
      messages: [
        change('tool_addition', reference('b')),
        change('tool_removal', reference('a')),
        change('tool_removal', reference('c')),
        change('tool_addition', reference('c')),
        change('tool_addition', { type: 'tool_definition', definition: { name: 'd' } }),
      ],
    });
    expect(tools.map((tool) => tool.function.name)).toEqual(['b', 'c', 'd']);
    expect(messages).toEqual([]);
    const toolset = change('tool_addition', { type: 'mcp_toolset_reference' });
    expect(refused({ messages: [toolset] }).details.param).toBe('messages[0].content[0].tool.type');
  });
});

describe('openai chat request: parameters', () => {
  it('sends the limits and the sampling under OpenAI’s names, and no top_k', () => {
    const asked = { max_tokens: 5, temperature: 0, top_p: 0.5, top_k: 3, stop_sequences: ['x'] };
    expect(encode({ ...asked, metadata: { user_id: 'u', other: 1 } })).toEqual({
      model: 'gpt-x',
      messages: [],
      max_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      stop: ['x'],
      user: 'u',
    });
    expect(encode({ stop_sequences: [] })).not.toHaveProperty('stop');
  });

  it('asks a reasoning model in the only way that it takes', () => {
    const capabilities = { supports_reasoning: true };
    const body = encode({ max_tokens: 5 }, { capabilities });
    expect(body.max_completion_tokens).toBe(5);
    expect(body).not.toHaveProperty('max_tokens');
    expect(body).not.toHaveProperty('reasoning_effort');
  });

  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 31_999 } }, 'high'],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 'medium'],
    [{ output_config: { effort: 'max' } }, 'high'],
    [{ thinking: { type: 'disabled' } }, undefined],
  ])('asks for the effort of %j, of reasoning models only', (asked, effort) => {
    const thinker = { capabilities: { supports_reasoning: true } };
    expect(encode(asked, thinker).reasoning_effort).toBe(effort);
    expect(encode(asked)).toEqual({ model: 'gpt-x', messages: [] });
  });

  it('asks for output of a schema in strict mode, which promises what Anthropic promises', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const wanted = {
      type: 'json_schema',
      json_schema: { name: 'response', schema, strict: true },
    };
    const format = { type: 'json_schema', schema };
    expect(encode({ output_config: { format } }).response_format).toEqual(wanted);
    expect(encode({ output_format: format }).response_format).toEqual(wanted);
    const open = { type: 'json_schema', schema: { type: 'object', properties: {} } };
    expect(encode({ output_config: { format: open } }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema: open.schema, strict: false },
    });
    const odd = refused({ output_config: { format: { type: 'grammar' } } });
    expect(odd.details.param).toBe('output_config.format.type');
  });

  it('always asks a stream for its usage', () => {
    const body = encode({ stream_options: { include_obfuscation: false } }, { stream: true });
    expect(body).toMatchObject({
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
    expect(encode({ stream: true })).not.toHaveProperty('stream');
  });

  it('forwards what it does not know, and neither Anthropic’s nor the gateway’s own fields', () => {
    const anthropic = {
      context_management: {},
      container: 'c',
      mcp_servers: [],
      service_tier: 'auto',
    };
    const gateway = { fallbacks: ['a/b'], router_candidates: [], extra_headers: { a: 'b' } };
    expect(encode({ ...anthropic, ...gateway, seed: 7, logit_bias: { 1: 2 }, x: null })).toEqual({
      model: 'gpt-x',
      messages: [],
      seed: 7,
      logit_bias: { 1: 2 },
    });
  });

  it('shortens a user that OpenAI would refuse for its length', () => {
    const user_id = `user_${'a'.repeat(64)}_account__session_${'b'.repeat(36)}`;
    const { user: sent } = encode({ metadata: { user_id } });
    expect(sent).toHaveLength(64);
    expect(sent.startsWith('user_aaaa')).toBe(true);
  });
});

interface Recorded {
  request?: { body?: { messages?: unknown } };
}

const RECORDED = globSync('../shared/fixtures/recorded/anthropic/messages/*.json');
(existsSync('../shared/fixtures/recorded') ? describe : describe.skip)(
  'openai chat request: recorded Messages requests (skipped without ../shared)',
  () => {
    it('gives a body that OpenAI takes, or a 400 that names the field', () => {
      let translated = 0;
      for (const file of RECORDED) {
        const { request } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
        if (!request?.body?.messages) continue;
        let messages: SentMessage[];
        try {
          ({ messages } = encode(request.body));
          translated++;
        } catch (error) {
          expect(error).toMatchObject({
            status: 400,
            details: { param: expect.stringMatching(/\[|^mcp_servers$/) },
          });
          continue;
        }
        const said = JSON.stringify(messages);
        expect(said).not.toMatch(/"signature"|"redacted_thinking"|"cache_control"|"tool_use_id"/);
        let open: string[] = [];
        for (const message of messages) {
          if (message.role === 'tool') {
            expect(open).toContain(message.tool_call_id);
            open = open.filter((id) => id !== message.tool_call_id);
          } else expect(open).toEqual([]);
          open = message.tool_calls?.map(({ id }) => id) ?? open;
        }
      }
      expect(translated).toBeGreaterThan(80);
    });
  },
);
