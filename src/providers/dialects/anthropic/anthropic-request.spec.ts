import { describe, expect, it } from '@jest/globals';
import { type CallContext } from '../../provider.js';
import { messagesBody } from './anthropic-request.js';

const body = (name: string, request: object, stream = false) =>
  messagesBody({
    request: { model: `anthropic/${name}`, messages: [], ...request },
    model: { name, id: `anthropic/${name}`, maxOutputTokens: 64_000 },
    stream,
  } as unknown as CallContext<'messages'>);
const adaptive = (effort: string) => ({
  thinking: { type: 'adaptive' },
  output_config: { effort },
});

describe('thinking of another format’s caller', () => {
  it.each([
    ['claude-fable-5-2', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['claude-sonnet-4-6', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [
      'us.anthropic.claude-opus-4-5-20251101-v1:0',
      { thinking: { type: 'enabled', budget_tokens: 32_000 }, output_config: { effort: 'high' } },
    ],
    ['claude-haiku-4-5@20251001', { thinking: { type: 'enabled', budget_tokens: 32_000 } }],
    ['claude-3-7-sonnet-20250219', { thinking: { type: 'enabled', budget_tokens: 32_000 } }],
    ['claude-3-5-haiku-20241022', {}],
    ['some-other', adaptive('high')],
  ])('is asked of %s in its own way', (name, wanted) => {
    const { thinking, output_config } = body(name, { ...adaptive('high'), max_tokens: 64_000 });
    expect({
      ...((thinking as object) && { thinking }),
      ...((output_config as object) && { output_config }),
    }).toEqual(wanted);
  });

  it('turns a budget into an effort where budgets are gone, and keeps it inside the bound', () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    expect(body('claude-opus-4-8', { thinking })).toMatchObject(adaptive('low'));
    expect(body('claude-opus-4-6', { thinking }).thinking).toEqual(thinking);
    expect(body('claude-sonnet-4-5', { thinking, max_tokens: 1_500 }).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 1_499,
    });
    expect(body('claude-sonnet-4-5', { thinking, max_tokens: 500 }).thinking).toBeUndefined();
  });

  it.each([
    ['claude-haiku-5-5', { type: 'disabled' }, undefined],
    ['claude-sonnet-5-5', { type: 'between_tools' }, undefined],
    ['claude-opus-5-5', undefined, { effort: 'low' }],
    ['claude-fable-5', undefined, { effort: 'low' }],
    ['claude-sonnet-4-5', { type: 'disabled' }, undefined],
  ])('is turned down on %s as far as it goes', (name, thinking, config) => {
    const made = body(name, { thinking: { type: 'disabled' } });
    expect([made.thinking, made.output_config]).toEqual([thinking, config]);
  });

  it('leaves sampling out where the model refuses it', () => {
    const sampling = { temperature: 0.2, top_p: 0.9, top_k: 5 };
    expect(body('claude-opus-5', sampling)).not.toHaveProperty('temperature');
    expect(body('claude-sonnet-4-6', { ...sampling, ...adaptive('low') })).not.toHaveProperty(
      'top_k',
    );
    expect(body('claude-sonnet-4-5', sampling)).toMatchObject({ temperature: 0.2, top_k: 5 });
    expect(body('claude-sonnet-4-5', { temperature: 1.4 })).toHaveProperty('temperature', 1);
    expect(body('claude-sonnet-4-5', sampling)).not.toHaveProperty('top_p');
    expect(body('claude-3-5-haiku', sampling)).toMatchObject(sampling);
  });
});

describe('a faster answer for another format’s caller', () => {
  it('is asked of the model that was named alone, for few others have one', () => {
    expect(body('claude-opus-5', { speed: 'fast' })).toHaveProperty('speed', 'fast');
    const other = body('claude-haiku-4-5', { model: 'anthropic/claude-opus-5', speed: 'fast' });
    expect(other).not.toHaveProperty('speed');
  });
});

describe('schemas of another format’s caller', () => {
  const schemaOf = (schema: object) => {
    const { output_config } = body('claude-opus-5', {
      output_config: { format: { type: 'json_schema', schema } },
    });
    return (output_config as { format: { schema: unknown } }).format.schema;
  };

  it('closes objects and says what cannot be enforced', () => {
    expect(
      schemaOf({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'Who' },
          when: { type: 'string', format: 'date' },
          how: { type: 'string', format: 'phone' },
          list: { type: 'array', minItems: 2, items: { type: 'object', properties: {} } },
          either: { oneOf: [{ type: 'number', maximum: 5 }, { $ref: '#/$defs/a' }] },
        },
        $defs: { a: { type: ['object', 'null'], properties: { description: { type: 'null' } } } },
        required: ['name'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Who\n\n{minLength: 1}' },
        when: { type: 'string', format: 'date' },
        how: { type: 'string', description: '{format: "phone"}' },
        list: {
          type: 'array',
          items: { type: 'object', properties: {}, additionalProperties: false },
          description: '{minItems: 2}',
        },
        either: { anyOf: [{ type: 'number', description: '{maximum: 5}' }, { $ref: '#/$defs/a' }] },
      },
      $defs: {
        a: {
          type: ['object', 'null'],
          properties: { description: { type: 'null' } },
          additionalProperties: false,
        },
      },
      required: ['name'],
      additionalProperties: false,
    });
  });

  it('binds a strict tool’s schema only', () => {
    const input_schema = { type: 'object', properties: { n: { type: 'number', minimum: 1 } } };
    const tools = [
      { name: 'a', input_schema },
      { name: 'b', input_schema, strict: true },
    ];
    const [loose, strict] = body('claude-opus-5', { tools }).tools as { input_schema: object }[];
    expect(loose?.input_schema).toBe(input_schema);
    expect(strict?.input_schema).toMatchObject({ additionalProperties: false });
  });

  it('makes no choice among no tools', () => {
    const made = body('claude-opus-5', { tools: [], tool_choice: { type: 'auto' } });
    expect(made).not.toHaveProperty('tools');
    expect(made).not.toHaveProperty('tool_choice');
  });
});

describe('ids of calls in the history of another format’s caller', () => {
  it('are unique, whichever model is named', () => {
    const round = (id: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    ];
    const hello = { role: 'user', content: 'Hi' };
    const messages = [hello, ...round('functions.f:0'), ...round('functions.f:0')];
    expect(body('claude-opus-5', { messages }).messages).toEqual([
      hello,
      ...round('functions_f_0'),
      ...round('functions_f_0_2'),
    ]);
  });

  it('are unique among the calls of one turn, and each has its result', () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
    const result = (id: string, content: unknown) => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
    });
    const turns = (first: string, second: string) => [
      { role: 'assistant', content: [use(first), use(second)] },
      { role: 'user', content: [result(first, '1'), result(second, '2')] },
    ];
    const { messages } = body('claude-opus-5', {
      messages: [...turns('f', 'f'), ...turns('', ''), ...turns('call', 'f_2')],
    });
    expect(messages).toEqual([
      ...turns('f', 'f_2'),
      ...turns('call', 'call_2'),
      ...turns('call_3', 'f_2_2'),
    ]);
  });

  it('make no call of another’s server one of Anthropic’s own', () => {
    const search = [
      { type: 'server_tool_use', id: 'srvtoolu_a:1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_a:1', content: [] },
    ];
    const text = { type: 'text', text: 'Hi' };
    const hello = { role: 'user', content: 'Hi' };
    const messages = [hello, { role: 'assistant', content: [...search, text] }, hello];
    expect(body('claude-opus-5', { messages }).messages).toEqual([
      hello,
      { role: 'assistant', content: [text] },
      hello,
    ]);
  });
});

describe('a system turn', () => {
  const turn = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });
  const ask = (answer: object) => [
    turn('user', 'Hi'),
    turn('system', 'Be brief.'),
    { role: 'assistant', content: [answer] },
    turn('user', 'Well?'),
  ];

  it('stays before an answer, and is the user’s where nothing is left of that', () => {
    const answered = ask({ type: 'text', text: 'Hello' });
    expect(body('claude-opus-4-8', { messages: answered }).messages).toEqual(answered);
    const thought = ask({ type: 'thinking', thinking: 'Hm', signature: 'cw1.gemini.sig' });
    const texts = ['Hi', 'Be brief.', 'Well?'].map((text) => ({ type: 'text', text }));
    expect(body('claude-opus-4-8', { messages: thought }).messages).toEqual([
      { role: 'user', content: texts },
    ]);
  });
});
