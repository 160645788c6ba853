import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assistant, refusalOf, text, user } from '../../test/support/blocks.js';
import { workedMs } from '../../test/support/worked-ms.js';
import { GatewayError } from '../contract/gateway-error.js';
import { readRequest } from './read-request.js';

const model = 'a/b';
const read = (fields: object) => readRequest({ model, input: 'Hi', ...fields });
const turns = (...input: object[]) => read({ input }).messages;
const system = (...content: object[]) => ({ role: 'system', content });
const said = (role: string, content: unknown) => ({ type: 'message', role, content });
const call = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{"a":1}',
  ...more,
});
const output = (id: string, value: unknown = 'done') => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
});
const used = (id: string, name = 'f', input: object = { a: 1 }) => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const result = (id: string, ...content: object[]) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const fn = (name: string, more: object = {}) => ({ type: 'function', name, ...more });

function refusal(fields: object): readonly [number, string | undefined] {
  try {
    read(fields);
  } catch (error) {
    if (error instanceof GatewayError) return [error.status, error.details.param];
    throw error;
  }
  return [200, undefined];
}

describe('the conversation of a Responses request', () => {
  it('has late results behind their calls, in about as much work as others', async () => {
    const many = Array.from({ length: 20_000 }, (_none, at) =>
      said(at % 2 ? 'assistant' : 'user', 'a'),
    );
    const late = [said('user', 'a'), call('c'), ...many, ...many.map(() => output('c'))];
    const usual = await workedMs(() => turns(...many, ...many));
    let read: readonly { content: unknown }[] = [];
    const ms = await workedMs(() => (read = turns(...late)));
    expect(read[2]?.content).toHaveLength(many.length + 1);
    expect(ms).toBeLessThan(6 * usual);
  });

  it('goes on behind results in a turn of its own', () => {
    const once = [said('user', 'a'), call('c'), output('c'), said('assistant', 'b')];
    const [, , answered, goingOn] = turns(...once, output('c', 'more'), said('system', 'd'));
    expect(answered).toEqual(user(result('c', text('done')), result('c', text('more'))));
    expect(goingOn).toEqual(assistant(text('b')));
  });

  it('is what a string says', () => {
    expect(read({})).toEqual({ model, messages: [user(text('Hi'))] });
  });

  it('has the user say what the system alone says', () => {
    const alone = read({ instructions: 'One.', input: [said('developer', 'Two.')] });
    expect(alone).not.toHaveProperty('system');
    expect(alone.messages).toEqual([user(text('One.'), text('Two.'))]);
  });

  it('begins with the instructions, then the system and developer messages, in their order', () => {
    const request = read({
      instructions: 'One.',
      input: [
        { role: 'developer', content: 'Two.' },
        said('system', [{ type: 'input_text', text: 'Three.' }]),
        { role: 'user', content: 'Hi' },
        { role: 'developer', content: 'Later.' },
      ],
    });
    expect(request.system).toEqual([text('One.'), text('Two.'), text('Three.')]);
    expect(request.messages).toEqual([user(text('Hi')), system(text('Later.'))]);
  });

  it('carries images, files and the marks of a cache', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'high' },
      { type: 'input_image', image_url: 'data:image/jpg;base64,/9j/' },
      { type: 'input_image', image_url: 'https://images.example/1' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      { type: 'input_file', file_url: 'https://files.example/1' },
      { type: 'input_file', file_data: 'data:text/plain;charset=utf-8;base64,w6k=' },
      { type: 'input_file', filename: 'data', file_data: 'data:image/png;base64,CCCC' },
      { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'input_text', text: '' },
    ];
    expect(turns(said('user', content))).toEqual([
      user(
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/' } },
        { type: 'image', source: { type: 'url', url: 'https://images.example/1' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
          title: 'a.pdf',
        },
        { type: 'document', source: { type: 'url', url: 'https://files.example/1' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'é' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'CCCC' } },
        { ...text('x'), cache_control: { type: 'ephemeral' } },
      ),
    ]);
  });

  it('puts what the assistant thought, said and called into one turn', () => {
    const items = [
      said('user', 'Hi'),
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'cw1.thinking.sig',
      },
      said('assistant', [
        { type: 'output_text', text: 'Well', annotations: [] },
        { type: 'refusal', refusal: 'No.' },
      ]),
      call('c1'),
      call('c2'),
      output('c2', [{ type: 'input_text', text: 'two' }]),
      output('c1', ''),
    ];
    expect(turns(...items)).toEqual([
      user(text('Hi')),
      assistant(
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        text('Well'),
        text('No.'),
        used('c1'),
        used('c2'),
      ),
      user(result('c2', text('two')), result('c1')),
    ]);
  });

  it('answers each call right behind its turn, before anything else that came between', () => {
    const items = [
      call('c1'),
      call('c2'),
      output('c1'),
      said('developer', 'Be quick.'),
      said('user', 'And?'),
      output('c2'),
      said('assistant', 'Soon.'),
      call('c3'),
      said('developer', 'Go on.'),
      output('c3'),
    ];
    expect(turns(...items)).toEqual([
      assistant(used('c1'), used('c2')),
      user(result('c1', text('done')), result('c2', text('done'))),
      system(text('Be quick.')),
      user(text('And?')),
      assistant(text('Soon.'), used('c3')),
      user(result('c3', text('done'))),
      system(text('Go on.')),
    ]);
  });

  it.each([
    [{ encrypted_content: 'cw1.redacted.data' }, { type: 'redacted_thinking', data: 'data' }],
    [
      { id: 'rs_9', encrypted_content: 'gAAAA' },
      { type: 'thinking', thinking: '', signature: 'cw1.openai.gAAAA' },
    ],
    [
      { content: [{ type: 'reasoning_text', text: 'raw' }] },
      { type: 'thinking', thinking: 'raw', signature: '' },
    ],
    [
      { encrypted_content: 'cw1.thinking.cw1.gemini.xyz' },
      { type: 'thinking', thinking: '', signature: 'cw1.gemini.xyz' },
    ],
    [{ encrypted_content: null, summary: [] }, undefined],
  ])('reads the reasoning %j', (fields, block) => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], ...fields };
    expect(turns(item)).toEqual(block ? [assistant(block)] : []);
  });

  it.each([
    [
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' },
      used('c', 'apply_patch', { input: '*** Begin' }),
      { type: 'custom_tool_call_output', output: 'ok' },
      'ok',
    ],
    [
      call('c', { namespace: 'mcp__git__', name: 'log', arguments: '' }),
      used('c', 'mcp__git____log', {}),
      output('c', 'ok'),
      'ok',
    ],
    [
      call('c', { namespace: 'functions', arguments: 'no json' }),
      used('c', 'f', { INVALID_JSON: 'no json' }),
      output('c', 'ok'),
      'ok',
    ],
    [
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
      used('c', 'local_shell', { command: ['ls'], env: {} }),
      { type: 'local_shell_call_output', call_id: undefined, id: 'c', output: 'ok' },
      'ok',
    ],
    [
      { type: 'shell_call', action: { commands: ['ls'] } },
      used('c', 'shell', { commands: ['ls'] }),
      { type: 'shell_call_output', output: [{ stdout: 'a', stderr: '' }] },
      '[{"stdout":"a","stderr":""}]',
    ],
    [
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
      used('c', 'apply_patch', { type: 'delete_file', path: 'a' }),
      { type: 'apply_patch_call_output', status: 'completed' },
      'completed',
    ],
    [
      { type: 'tool_search_call', execution: 'client', arguments: { query: 'q' } },
      used('c', 'tool_search', { query: 'q' }),
      { type: 'tool_search_output', tools: [fn('found')] },
      JSON.stringify([fn('found')]),
    ],
  ])('carries the call %j', (item, block, back, content) => {
    const items = [
      { call_id: 'c', ...item },
      { call_id: 'c', ...back },
    ];
    const kept = items.map((each) => JSON.parse(JSON.stringify(each)) as object);
    expect(turns(...kept)).toEqual([assistant(block), user(result('c', text(content)))]);
  });

  it('leaves out what ran at OpenAI and says nothing by itself', () => {
    const items = ['web_search_call', 'file_search_call', 'mcp_list_tools'].map((type) => ({
      type,
    }));
    const search = { type: 'tool_search_call', execution: 'server', call_id: null, arguments: {} };
    expect(turns(...items, search, said('user', 'Hi'))).toEqual([user(text('Hi'))]);
  });

  it.each([
    [[said('user', [{ type: 'input_image', file_id: 'f' }])], 'input[0].content[0].file_id'],
    [[said('user', [{ type: 'input_file', file_id: 'f' }])], 'input[0].content[0].file_id'],
    [[said('user', [{ type: 'input_audio' }])], 'input[0].content[0].type'],
    [[said('user', [{ type: 'input_text' }])], 'input[0].content[0].text'],
    [
      [said('user', [{ type: 'input_image', image_url: 'http://a.example/1' }])],
      'input[0].content[0].image_url',
    ],
    [
      [said('user', [{ type: 'input_file', file_data: 'data:audio/mp3;base64,AA' }])],
      'input[0].content[0].file_data',
    ],
    [[said('user', 5)], 'input[0].content'],
    [[said('user', ['x'])], 'input[0].content[0]'],
    [[said('tool', 'x')], 'input[0].role'],
    [
      [said('system', [{ type: 'input_image', image_url: 'https://a.example' }])],
      'input[0].content',
    ],
    [[output('c1')], 'input[0].call_id'],
    [[call('c1', { call_id: 5 })], 'input[0].call_id'],
    [[call('c1', { name: undefined })], 'input[0].name'],
    [[{ type: 'compaction', encrypted_content: 'x' }], 'input[0].type'],
    [[{ type: 'computer_call' }], 'input[0].type'],
    [[{ type: 'mcp_call' }], 'input[0].type'],
  ])('refuses %j by %s', (input, param) => {
    expect(refusal({ input })).toEqual([400, param]);
  });

  it.each([
    [[said('user', [{ text: 'x' }])], 'input[0].content[0].type'],
    [[{ type: 5 }], 'input[0].type'],
  ])('needs the type of %j', (input, param) => {
    expect(refusalOf(() => read({ input })).message).toBe(`${param}: must be a string.`);
  });
});

describe('the tools of a Responses request', () => {
  const tools = [
    fn('f', { description: 'F', parameters: { type: 'object' }, strict: true }),
    { type: 'namespace', name: 'mcp__git', tools: [fn('log', { strict: false }), fn('f')] },
    { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'apply_patch' }] },
    { type: 'web_search', external_web_access: true },
  ];
  const names = (fields: object) => (read(fields).tools ?? []).map((tool) => tool.name as string);

  it('have the schemas of objects', () => {
    const city = { properties: { city: { type: 'string' } } };
    const search = { type: 'tool_search', execution: 'client', parameters: {} };
    const given = [fn('f', { parameters: {} }), fn('g', { parameters: city }), search];
    const schemas = (read({ tools: given }).tools ?? []).map(({ input_schema }) => input_schema);
    const empty = { type: 'object', properties: {} };
    expect(schemas).toEqual([empty, { type: 'object', ...city }, empty]);
  });

  it('are functions under names of one part, without what OpenAI runs', () => {
    const empty = { type: 'object', properties: {} };
    expect(read({ tools }).tools).toEqual([
      { name: 'f', description: 'F', input_schema: { type: 'object' }, strict: true },
      { name: 'mcp__git__log', input_schema: empty },
      { name: 'mcp__git__f', input_schema: empty },
      {
        name: 'apply_patch',
        input_schema: {
          type: 'object',
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
      },
    ]);
  });

  it.each([
    { type: 'tool_search' },
    { type: 'shell', environment: { type: 'container_auto' } },
    { type: 'web_search_preview_2025_03_11' },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ])('are left out where OpenAI runs them: %j', (tool) => {
    expect(names({ tools: [tool, fn('f', { defer_loading: true })] })).toEqual(['f']);
  });

  it('tell the grammar of free text', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
    const [tool] = read({
      tools: [{ type: 'custom', name: 'p', description: 'P', format }],
    }).tools!;
    expect(tool!.description).toBe('P\n\nThe input must follow this lark grammar:\nstart: "x"');
  });

  it('are those too that the conversation added', () => {
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [fn('g'), fn('f')] },
      { type: 'tool_search_call', call_id: 'c', arguments: {} },
      { type: 'tool_search_output', call_id: 'c', tools: [fn('h'), fn('g')] },
    ];
    expect(
      names({ input, tools: [fn('f'), { type: 'tool_search', execution: 'client' }] }),
    ).toEqual(['f', 'tool_search', 'g', 'h']);
  });

  it.each([
    ['none', { type: 'none' }, 4],
    ['required', { type: 'any' }, 4],
    [fn('f'), { type: 'tool', name: 'f' }, 4],
    [fn('log', { namespace: 'mcp__git' }), { type: 'tool', name: 'mcp__git__log' }, 4],
    [{ type: 'custom', name: 'apply_patch' }, { type: 'tool', name: 'apply_patch' }, 4],
    [{ type: 'allowed_tools', mode: 'auto', tools: [fn('log')] }, undefined, 1],
    [
      { type: 'allowed_tools', mode: 'required', tools: [fn('f'), { type: 'web_search' }] },
      { type: 'any' },
      2,
    ],
    ['auto', undefined, 4],
  ])('are chosen by %j', (tool_choice, choice, count) => {
    const request = read({ tools, tool_choice });
    expect(request.tool_choice).toEqual(choice);
    expect(request.tools).toHaveLength(count);
  });

  it('are chosen in about as much work where many are allowed as where one is', async () => {
    const many = Array.from({ length: 10_000 }, (_none, index) => fn(`t${index}`));
    const allow = (tools: object[]) =>
      read({ tools: many, tool_choice: { type: 'allowed_tools', mode: 'auto', tools } });
    const usual = await workedMs(() => allow([fn('t0')]));
    let left: unknown;
    const ms = await workedMs(() => (left = allow(many.toReversed()).tools));
    expect(left).toHaveLength(many.length);
    expect(ms).toBeLessThan(10 * usual);
  });

  it('are called one by one where that is asked for', () => {
    expect(read({ tools, parallel_tool_calls: false }).tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    });
  });

  it('are not mentioned where none is left', () => {
    const fields = { tools: [{ type: 'web_search' }], parallel_tool_calls: false };
    expect(read(fields)).toEqual({ model, messages: [user(text('Hi'))] });
    expect(read({ ...fields, tool_choice: 'none' })).not.toHaveProperty('tool_choice');
  });

  it.each([
    [{ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }, 'tool_choice'],
    [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'tool_choice'],
    [{ tools: [fn('f')], tool_choice: fn('g') }, 'tool_choice'],
    [{ tools: [fn('f')], tool_choice: 'maybe' }, 'tool_choice'],
    [
      {
        tools: [{ type: 'mcp' }],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [] },
      },
      'tool_choice.mode',
    ],
    [{ tools: [{ type: 'future' }] }, 'tools[0].type'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tools: [fn('f', { parameters: 'x' })] }, 'tools[0].parameters'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [fn('')] }] }, 'tools[0].tools[0].name'],
    [{ tools: [{ type: 'namespace', name: 'n'.repeat(257), tools: [fn('f')] }] }, 'tools[0].name'],
    [{ tools: [fn('f'), fn('f')] }, 'tools[1]'],
  ])('are refused in %j by %s', (fields, param) => {
    expect(refusal(fields)).toEqual([400, param]);
  });
});

describe('the settings of a Responses request', () => {
  it.each<[object, object]>([
    [
      { max_output_tokens: 5, temperature: 0, top_p: 1 },
      { max_tokens: 5, temperature: 0, top_p: 1 },
    ],
    [{ user: 'u' }, { metadata: { user_id: 'u' } }],
    [{ user: 'u', safety_identifier: 's' }, { metadata: { user_id: 's' } }],
    [
      { reasoning: { effort: 'minimal', summary: 'auto' } },
      {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'low' },
      },
    ],
    [{ reasoning: { effort: 'none' } }, { thinking: { type: 'disabled' } }],
    [{ reasoning: { effort: null, summary: 'auto' } }, {}],
    [
      { text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } } },
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
    [{ text: { format: { type: 'text' }, verbosity: 'low' } }, {}],
    [
      { seed: 5, top_k: 3, stop_sequences: ['x'] },
      { seed: 5, top_k: 3, stop_sequences: ['x'] },
    ],
    [
      {
        store: false,
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'k',
        client_metadata: { a: 'b' },
        service_tier: 'flex',
        truncation: 'auto',
        top_logprobs: 0,
        web_search_options: null,
        max_tool_calls: 3,
        metadata: { a: 'b' },
        stream_options: { include_obfuscation: true },
        stream: true,
      },
      {},
    ],
  ])('reads %j', (fields, neutral) => {
    expect(read(fields)).toEqual({ model, messages: [user(text('Hi'))], ...neutral });
  });

  it('asks for JSON without a schema in words, behind the instructions', () => {
    const { system: prompt } = read({
      instructions: 'One.',
      text: { format: { type: 'json_object' } },
    });
    expect(prompt).toEqual([
      text('One.'),
      { type: 'text', text: expect.stringContaining('JSON object') },
    ]);
  });

  it('does not think before a tool that is forced', () => {
    const tools = [fn('f')];
    const request = read({ tools, tool_choice: 'required', reasoning: { effort: 'high' } });
    expect(request).toMatchObject({ output_config: { effort: 'high' } });
    expect(request).not.toHaveProperty('thinking');
  });

  it.each([
    [{ reasoning: { effort: 'enormous' } }, 'reasoning.effort'],
    [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema' } } }, 'text.format.schema'],
    [{ top_logprobs: 1 }, 'top_logprobs'],
    [{ include: ['x', 'message.output_text.logprobs'] }, 'include[1]'],
    [{ web_search_options: {} }, 'web_search_options'],
  ])('refuses %j by %s', (fields, param) => {
    expect(refusal(fields)).toEqual([400, param]);
  });
});

describe('a hostile Responses request', () => {
  const types = [
    ...['message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call'],
    ...['custom_tool_call_output', 'local_shell_call', 'shell_call', 'apply_patch_call'],
    ...['tool_search_call', 'tool_search_output', 'additional_tools', 'image_generation_call'],
    ...['function', 'custom', 'namespace', 'allowed_tools', 'web_search', 'input_text'],
    ...['input_image', 'input_file', 'json_schema'],
  ];
  const fields = [
    ...['type', 'role', 'content', 'call_id', 'id', 'name', 'namespace', 'arguments', 'input'],
    ...['output', 'action', 'operation', 'tools', 'summary', 'encrypted_content', 'result'],
    ...['text', 'image_url', 'file_url', 'file_data', 'parameters', 'format', 'mode', 'schema'],
    ...['effort', 'definition'],
  ];
  const known = fc.constantFrom<unknown>(...types, 'user', 'developer', 'required', 'a', null, 5);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, known, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 6 }),
  }));

  it('is read, or refused by a field', () => {
    fc.assert(
      fc.property(
        fc.record({
          input: value,
          tools: value,
          tool_choice: value,
          text: value,
          reasoning: value,
        }),
        (body) => {
          const [status, param] = refusal(body);
          expect([status, typeof param]).toEqual(
            status === 200 ? [200, 'undefined'] : [400, 'string'],
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});
