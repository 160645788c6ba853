import { describe, expect, it } from '@jest/globals';
import { refusalOf, result, text } from '../../test/support/blocks.js';
import { type NeutralBlock } from '../contract/neutral.js';
import { neutralRequest } from './chat-request.js';

const hello = { role: 'user', content: 'Hello' };
const read = (fields: object) => neutralRequest({ model: 'a/b', messages: [hello], ...fields });
const turnsOf = (...messages: object[]) => read({ messages }).messages;
const call = (id: string, args: unknown = '{}', name = 'f') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'f', input });
const mark = { cache_control: { type: 'ephemeral' } };

describe('chat request: the conversation', () => {
  it.each(['system', 'user', 'assistant', 'tool'])('may have many texts of one %s', (role) => {
    const said = { role, tool_call_id: 'c', content: Array<string>(200_000).fill('a') };
    expect(() => turnsOf(hello, said)).not.toThrow();
  });

  it('takes system and developer messages at the beginning as the system prompt', () => {
    const developer = { role: 'developer', content: [text('b'), text('c', mark)] };
    const { system, messages } = read({
      messages: [{ role: 'system', content: 'a' }, developer, hello],
    });
    expect(system).toEqual([text('a'), text('b'), text('c', mark)]);
    expect(messages).toEqual([hello]);
    expect(read({ messages: [{ role: 'system', content: 'a' }, hello] }).system).toBe('a');
    expect(read({})).not.toHaveProperty('system');
  });

  it('has the user say what the system alone says', () => {
    const { system, messages } = read({
      messages: [
        { role: 'system', content: 'a' },
        { role: 'developer', content: 'b' },
      ],
      response_format: { type: 'json_object' },
    });
    expect(system).toMatch(/^Answer with one JSON object/);
    expect(messages).toEqual([{ role: 'user', content: [text('a'), text('b')] }]);
    expect(read({ messages: [{ role: 'system', content: '' }] }).messages).toEqual([]);
  });

  it('keeps a later system message in its place', () => {
    const said = { role: 'assistant', content: 'Hi' };
    const turns = turnsOf(hello, said, hello, { role: 'developer', content: 'now' }, said);
    expect(turns.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'system',
      'assistant',
    ]);
    expect(turns[3]).toEqual({ role: 'system', content: 'now' });
  });

  it('takes pictures and files as data or by address', () => {
    const base64 = Buffer.from('Grüße').toString('base64');
    const file = (file_data: string, filename?: string) => ({
      type: 'file',
      file: { file_data, filename },
    });
    const image = (url: unknown) => ({ type: 'image_url', image_url: url });
    const [turn] = turnsOf({
      role: 'user',
      content: [
        text('look', mark),
        { ...image({ url: 'data:image/jpg;base64,/9j/', detail: 'high' }), ...mark },
        image({ url: 'https://x.example/y.png' }),
        image('data:image/png;charset=x;base64,iVBO'),
        file('data:application/pdf;base64,JVBE', 'a.pdf'),
        file('JVBE', 'b.PDF'),
        file('https://x.example/c.pdf', 'c.pdf'),
        file(`data:text/markdown;base64,${base64}`, 'd.md'),
        file('data:image/webp;base64,UklG', 'e.webp'),
        text(''),
        'plain',
      ],
    });
    const picture = (media_type: string, data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type, data },
    });
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' };
    expect(turn?.content).toEqual([
      text('look', mark),
      { ...picture('image/jpeg', '/9j/'), ...mark },
      { type: 'image', source: { type: 'url', url: 'https://x.example/y.png' } },
      picture('image/png', 'iVBO'),
      { type: 'document', source: pdf, title: 'a.pdf' },
      { type: 'document', source: pdf, title: 'b.PDF' },
      { type: 'document', source: { type: 'url', url: 'https://x.example/c.pdf' }, title: 'c.pdf' },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Grüße' },
        title: 'd.md',
      },
      picture('image/webp', 'UklG'),
      text('plain'),
    ]);
  });

  it('makes one turn of several tool results and what the user says next, results first', () => {
    const calls = {
      role: 'assistant',
      content: 'I look',
      tool_calls: [call('c1', '{"a":[1]}'), call('c2', '')],
    };
    const picture = { type: 'image_url', image_url: { url: 'https://x.example/y.png' } };
    const turns = turnsOf(
      hello,
      calls,
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: [text('two'), picture], ...mark },
      { role: 'user', content: 'and?', name: 'Ann' },
    );
    expect(turns).toEqual([
      hello,
      { role: 'assistant', content: [text('I look'), use('c1', { a: [1] }), use('c2')] },
      {
        role: 'user',
        content: [
          result('c1', 'one'),
          {
            ...result('c2', [
              text('two'),
              { type: 'image', source: { type: 'url', url: 'https://x.example/y.png' } },
            ]),
            ...mark,
          },
          text('and?'),
        ],
      },
    ]);
  });

  it('joins neighbours of one role and leaves out an assistant who says nothing', () => {
    const turns = turnsOf(
      hello,
      { role: 'assistant', content: '' },
      { role: 'user', content: 'there' },
    );
    expect(turns).toEqual([{ role: 'user', content: [text('Hello'), text('there')] }]);
  });

  it.each([
    ['{"a":1', { INVALID_JSON: '{"a":1' }],
    ['[1]', { INVALID_JSON: '[1]' }],
    ['', {}],
    [' ', {}],
    [null, {}],
    [{ a: 1 }, { a: 1 }],
  ])('loses nothing of the arguments %j of an earlier call', (args, input) => {
    const said = { role: 'assistant', content: null, tool_calls: [call('c', args)] };
    expect(turnsOf(hello, said)[1]?.content).toEqual([use('c', input)]);
  });

  it('takes no arguments apart that are more than a body may have', () => {
    const args = `{${'"a":1,'.repeat(20_000)}"b":2}`;
    const said = { role: 'assistant', content: null, tool_calls: [call('c', args)] };
    expect(turnsOf(hello, said)[1]?.content).toEqual([use('c', { INVALID_JSON: args })]);
  });

  it('takes a refusal as what was said', () => {
    const refused = { role: 'assistant', content: null, refusal: 'I cannot.' };
    expect(turnsOf(hello, refused)[1]?.content).toBe('I cannot.');
    const parts = [text('No'), { type: 'refusal', refusal: 'I cannot.' }];
    expect(turnsOf(hello, { role: 'assistant', content: parts })[1]?.content).toEqual([
      text('No'),
      text('I cannot.'),
    ]);
  });

  it('matches the results of functions, which had no ids, by their names', () => {
    const calling = {
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{"a":1}' },
    };
    const turns = turnsOf(hello, calling, { role: 'function', name: 'f', content: 'one' });
    const [called] = turns[1]!.content as NeutralBlock[];
    expect(called).toMatchObject({ type: 'tool_use', name: 'f', input: { a: 1 } });
    expect(turns[2]?.content).toEqual([result(called!.id as string, 'one')]);
  });
});

describe('chat request: thinking of earlier turns', () => {
  const thinking = (value: string, signature = '') => ({
    type: 'thinking',
    thinking: value,
    signature,
  });
  const blocksOf = (message: object) =>
    turnsOf(hello, { role: 'assistant', content: 'so', ...message })[1]?.content;
  const detail = (more: object) => ({ type: 'reasoning.text', index: 0, ...more });

  it.each([
    ['whole', [detail({ text: 'hm, so', signature: 's' })]],
    [
      'in the pieces of a stream',
      [detail({ text: 'hm, ' }), detail({ text: 'so' }), detail({ text: '', signature: 's' })],
    ],
    ['without indexes', [{ type: 'reasoning.text', text: 'hm, so', signature: 's' }]],
    ['with null fields', [detail({ text: 'hm, so', signature: 's', id: null, format: null })]],
  ])('comes back with its signature, %s', (_how, reasoning_details) => {
    const blocks = blocksOf({ reasoning_details, reasoning_content: 'hm, so' });
    expect(blocks).toEqual([thinking('hm, so', 's'), text('so')]);
  });

  it('keeps blocks apart and in their places', () => {
    const reasoning_details = [
      detail({ text: 'a', signature: '1' }),
      { type: 'reasoning.encrypted', data: 'xyz', index: 1 },
      detail({ text: 'b', signature: '2', index: 3 }),
    ];
    expect(blocksOf({ reasoning_details, tool_calls: [call('c')] })).toEqual([
      thinking('a', '1'),
      { type: 'redacted_thinking', data: 'xyz' },
      text('so'),
      thinking('b', '2'),
      use('c'),
    ]);
  });

  it('leaves out proofs that only another provider can read', () => {
    const reasoning_details = [
      detail({ text: 'hm', signature: 's', format: 'google-gemini-v1' }),
      { type: 'reasoning.encrypted', data: 'xyz', format: 'openai-responses-v1', index: 1 },
    ];
    expect(blocksOf({ reasoning_details })).toEqual([thinking('hm'), text('so')]);
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning', { reasoning: 'hm', reasoning_content: '' }],
    [
      'a part of the content',
      { content: [{ type: 'thinking', thinking: [text('h'), text('m')] }, text('so')] },
    ],
  ])('takes text that proves nothing from %s', (_where, message) => {
    expect(blocksOf(message)).toEqual([thinking('hm'), text('so')]);
  });

  it('takes Anthropic’s own blocks', () => {
    const signed = thinking('hm', 's');
    expect(blocksOf({ thinking_blocks: [signed] })).toEqual([signed, text('so')]);
    expect(blocksOf({ content: [signed, text('so')] })).toEqual([signed, text('so')]);
  });
});

describe('chat request: tools', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  const tool = (name: string, more: object = {}) => ({
    type: 'function',
    function: { name, ...more },
  });
  const tools = [tool('f', { description: 'F', parameters, strict: true }), tool('g')];
  const f = { name: 'f', description: 'F', input_schema: parameters, strict: true };
  const g = { name: 'g', input_schema: { type: 'object', properties: {} } };

  it('takes functions with their schemas, and cache marks beside or inside them', () => {
    expect(read({ tools }).tools).toEqual([f, g]);
    expect(read({ tools })).not.toHaveProperty('tool_choice');
    const marked = [{ ...tool('f', { strict: false }), ...mark }, tool('g', mark)];
    expect(read({ tools: marked }).tools).toEqual([
      { ...g, name: 'f', ...mark },
      { ...g, ...mark },
    ]);
  });

  it('puts a schema that is only named where its name stands', () => {
    const node = { properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] };
    const recursive = { $ref: '#/$defs/Node', $defs: { Node: node } };
    const lost = { $ref: '#/$defs/Leaf', $defs: { Node: node } };
    const given = [recursive, lost].map((schema) => tool('f', { parameters: schema }));
    expect(read({ tools: given }).tools).toEqual([
      { name: 'f', input_schema: { type: 'object', ...node, $defs: { Node: node } } },
      { name: 'f', input_schema: { type: 'object', properties: {}, ...lost } },
    ]);
  });

  it('passes on tools that run at Anthropic', () => {
    const own = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
    expect(read({ tools: [own] }).tools).toEqual([own]);
  });

  it('asks for Anthropic’s search where a search is asked for', () => {
    const near = { type: 'approximate', approximate: { city: 'Lyon' } };
    expect(read({ web_search_options: { user_location: near } }).tools).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        user_location: { type: 'approximate', city: 'Lyon' },
      },
    ]);
  });

  const named = { type: 'function', function: { name: 'g' } };
  const allowed = (mode: string) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: [named] },
  });
  it.each([
    ['auto', {}, undefined, [f, g]],
    ['none', {}, { type: 'none' }, [f, g]],
    ['required', {}, { type: 'any' }, [f, g]],
    [named, {}, { type: 'tool', name: 'g' }, [f, g]],
    [allowed('auto'), {}, undefined, [g]],
    [allowed('required'), {}, { type: 'any' }, [g]],
    [
      undefined,
      { parallel_tool_calls: false },
      { type: 'auto', disable_parallel_tool_use: true },
      [f, g],
    ],
    [
      'required',
      { parallel_tool_calls: false },
      { type: 'any', disable_parallel_tool_use: true },
      [f, g],
    ],
    ['none', { parallel_tool_calls: false }, { type: 'none' }, [f, g]],
    ['auto', { parallel_tool_calls: true }, undefined, [f, g]],
  ])('takes the choice %j with %j', (tool_choice, more, choice, offered) => {
    const request = read({ tools, tool_choice, ...more });
    expect(request.tool_choice).toEqual(choice);
    expect(request.tools).toEqual(offered);
  });

  it('says nothing of a choice where there are no tools', () => {
    expect(read({ tools: [], tool_choice: 'auto' })).not.toHaveProperty('tools');
    expect(read({ tool_choice: 'none', parallel_tool_calls: false })).not.toHaveProperty(
      'tool_choice',
    );
  });

  it('takes functions of the older form, which are called one at a time', () => {
    const functions = [{ name: 'f', description: 'F', parameters }, { name: 'g' }];
    const { strict: _strict, ...plain } = f;
    const one = { disable_parallel_tool_use: true };
    const request = read({ functions, function_call: { name: 'g' } });
    expect(request.tools).toEqual([plain, g]);
    expect(request.tool_choice).toEqual({ type: 'tool', name: 'g', ...one });
    expect(read({ functions }).tool_choice).toEqual({ type: 'auto', ...one });
    expect(read({ functions, function_call: 'none' }).tool_choice).toEqual({ type: 'none' });
  });
});

describe('chat request: settings', () => {
  it('takes limits, sampling, stops and the user by Anthropic’s names', () => {
    expect(
      read({
        max_tokens: 5,
        temperature: 0,
        top_p: 0.5,
        stop: 'x',
        user: 'u',
        metadata: { a: 'b' },
      }),
    ).toEqual({
      model: 'a/b',
      messages: [hello],
      max_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      stop_sequences: ['x'],
      metadata: { user_id: 'u' },
    });
    expect(read({ max_completion_tokens: 7, max_tokens: 5 }).max_tokens).toBe(7);
    expect(read({ stop: ['x', 'y'] }).stop_sequences).toEqual(['x', 'y']);
    expect(read({ stop: [] })).not.toHaveProperty('stop_sequences');
    expect(read({ safety_identifier: 's' }).metadata).toEqual({ user_id: 's' });
  });

  it('passes on what it does not know, and says nothing of nulls and of OpenAI’s own service', () => {
    const extras = {
      seed: 7,
      presence_penalty: 0.5,
      top_k: 3,
      min_p: 0.1,
      mcp_servers: [{ name: 'm' }],
    };
    const dropped = {
      store: true,
      service_tier: 'flex',
      prediction: {},
      stream: true,
      stream_options: {},
    };
    const nothing = {
      logprobs: null,
      n: 1,
      top_logprobs: 0,
      modalities: ['text'],
      logit_bias: null,
    };
    expect(read({ ...extras, ...dropped, ...nothing })).toEqual({
      model: 'a/b',
      messages: [hello],
      ...extras,
    });
  });

  it('takes a schema of the answer as structured output', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const json_schema = { name: 'n', strict: true, schema };
    const request = read({ response_format: { type: 'json_schema', json_schema } });
    expect(request.output_config).toEqual({ format: { type: 'json_schema', schema } });
    expect(read({ response_format: { type: 'text' } })).toEqual(read({}));
  });

  it('asks for JSON without a schema in words, behind the system prompt', () => {
    const response_format = { type: 'json_object' };
    expect(read({ response_format }).system).toMatch(/JSON object/);
    const messages = [{ role: 'system', content: 'a' }, hello];
    expect(read({ messages, response_format }).system).toEqual([
      text('a'),
      text(expect.stringMatching(/JSON object/) as unknown as string),
    ]);
  });

  const adaptive = { type: 'adaptive' };
  it.each([
    [{ reasoning_effort: 'high' }, adaptive, { effort: 'high' }],
    [{ reasoning_effort: 'minimal' }, adaptive, { effort: 'low' }],
    [{ reasoning_effort: 'none' }, { type: 'disabled' }, undefined],
    [{ reasoning_effort: 'constructor' }, adaptive, { effort: 'constructor' }],
    [{ reasoning_effort: null }, undefined, undefined],
    [{ reasoning_effort: '' }, undefined, undefined],
    [{ reasoning_effort: '', reasoning: { effort: 'low' } }, adaptive, { effort: 'low' }],
    [{ reasoning: { effort: '' } }, undefined, undefined],
    [{ reasoning: { effort: 'low' } }, adaptive, { effort: 'low' }],
    [{ reasoning: { max_tokens: 2_000 } }, { type: 'enabled', budget_tokens: 2_000 }, undefined],
    [{ reasoning: { enabled: true } }, adaptive, undefined],
    [{ reasoning: { enabled: false } }, { type: 'disabled' }, undefined],
    [
      { thinking: { type: 'enabled', budget_tokens: 9 } },
      { type: 'enabled', budget_tokens: 9 },
      undefined,
    ],
    [
      {
        reasoning_effort: 'low',
        output_config: { effort: 'max', format: { type: 'json_schema' } },
      },
      adaptive,
      { effort: 'low', format: { type: 'json_schema' } },
    ],
  ])('asks for thinking by %j', (fields, thinking, output_config) => {
    const request = read(fields);
    expect(request.thinking).toEqual(thinking);
    expect(request.output_config).toEqual(output_config);
  });

  it('does not think before a tool that is forced, which Anthropic refuses', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const request = read({ tools, tool_choice: 'required', reasoning_effort: 'high' });
    expect(request).not.toHaveProperty('thinking');
    expect(request.output_config).toEqual({ effort: 'high' });
  });

  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['audio', { audio: { voice: 'alloy' } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['reasoning_effort', { reasoning_effort: 5 }],
    ['response_format.type', { response_format: { type: 'grammar' } }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: {} } },
    ],
    ['tools[0].type', { tools: [{ type: 'custom', custom: { name: 'f' } }] }],
    ['tools[0].function', { tools: [{ type: 'function' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['tool_choice.type', { tool_choice: { type: 'custom', custom: { name: 'f' } } }],
    ['tool_choice.function.name', { tool_choice: { type: 'function', function: {} } }],
    [
      'tool_choice.allowed_tools.tools',
      { tool_choice: { type: 'allowed_tools', allowed_tools: {} } },
    ],
    ['messages[0].role', { messages: [{ role: 'critic', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages[0].content[0]', { messages: [{ role: 'user', content: [5] }] }],
    [
      'messages[0].content[0].input_audio',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
    ],
    ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{}] }] }],
    ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    [
      'messages[0].content[0].image_url',
      { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
    ],
    [
      'messages[0].content[0].image_url',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://x' } }] },
        ],
      },
    ],
    [
      'messages[0].content[0].image_url',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png,x' } }],
          },
        ],
      },
    ],
    [
      'messages[0].content[0].file.file_id',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] },
    ],
    [
      'messages[0].content[0].file.file_data',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'file', file: { file_data: 'data:video/mp4;base64,AA' } }],
          },
        ],
      },
    ],
    [
      'messages[0].content[0].type',
      { messages: [{ role: 'system', content: [{ type: 'image_url' }] }] },
    ],
    ['messages[0].audio', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }],
    [
      'messages[0].tool_calls[0].id',
      { messages: [{ role: 'assistant', tool_calls: [{ function: {} }] }] },
    ],
    [
      'messages[0].tool_calls[0].type',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: {} }] }] },
    ],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].name', { messages: [{ role: 'function', name: 'f', content: 'x' }] }],
  ])('refuses %s and says so', (param, fields) => {
    const { status, details, message } = refusalOf(() => read(fields));
    expect({ status, param: details.param }).toEqual({ status: 400, param });
    expect(message.startsWith(`${param}: `)).toBe(true);
    // Another model may be able to, so fallbacks are tried.
    expect(details.upstream).toEqual({ status: 0 });
  });

  it.each([[{ text: 'x' }], [{ type: null }], [{ type: 5 }]])('needs the type of %j', (part) => {
    const { message } = refusalOf(() => read({ messages: [{ role: 'user', content: [part] }] }));
    expect(message).toBe('messages[0].content[0].type: must be a string.');
  });

  it('says of a choice of tools what it may be', () => {
    const messageOf = (fields: Parameters<typeof read>[0]) => refusalOf(() => read(fields)).message;
    const choice = 'must be auto, none, required or an object.';
    expect(messageOf({ tool_choice: 'look' })).toBe(`tool_choice: ${choice}`);
  });
});
