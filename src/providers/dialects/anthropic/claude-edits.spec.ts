import { describe, expect, it } from '@jest/globals';
import { messagesCall } from '../../../../test/support/translation.js';
import { type Relay } from '../../provider.js';
import { anthropicRelay } from './anthropic-relay.js';
import { bedrockAnthropicCodec } from './bedrock-anthropic-codec.js';
import { bedrockAnthropicRelay } from './bedrock-anthropic-relay.js';
import { vertexAnthropic } from './vertex-anthropic.js';

const HAIKU = 'anthropic/claude-haiku-4-5';
const ON_BEDROCK = 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0';
const ON_VERTEX = 'vertex/claude-haiku-4-5@20251001';
const hello = { role: 'user', content: 'Hi' };
const named = (model: string, fields: object = {}) => ({
  model,
  max_tokens: 9_000,
  messages: [hello],
  ...fields,
});

function relayFor(model: string): Relay {
  if (model.startsWith('bedrock/')) return bedrockAnthropicRelay;
  return model.startsWith('vertex/') ? vertexAnthropic.relay! : anthropicRelay;
}

/** What is sent of a body that is relayed to a model, but for its name and a cloud's version. */
function sent(model: string, body: object, headers = {}): Record<string, unknown> {
  const call = { ...messagesCall({ model }), body, headers, place: { region: 'r' } };
  const { edits } = relayFor(model).request(call as never);
  const after: Record<string, unknown> = { ...body };
  for (const [name, json] of edits) {
    after[name] = json === undefined ? undefined : JSON.parse(String(json));
  }
  delete after.model;
  delete after.anthropic_version;
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
}

describe('a thread', () => {
  const asked = (model: string) => named(model, { thread: { continue: {} } });

  it.each([ON_BEDROCK, ON_VERTEX, 'mine/glm-5', 'mine/claude-haiku-4-5'])(
    'does not fall back to %s, which has not heard its beginning',
    (model) => {
      expect(() => sent(model, asked(HAIKU))).toThrow('thread: is kept by Anthropic only.');
    },
  );

  it('goes on at Anthropic, and wherever the caller says', () => {
    expect(sent(HAIKU, asked('anthropic/claude-opus-5'))).toHaveProperty('thread');
    expect(sent('mine/glm-5', asked('mine/glm-5'))).toHaveProperty('thread');
  });
});

describe('a Claude on a cloud that the caller did not name', () => {
  const data = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  const says = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  const image = (source: object) => ({ type: 'image', source });
  const remote = image({ type: 'url', url: 'https://images.example/a.png' });
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [remote] };
  const document = { type: 'document', source: { type: 'content', content: [remote] } };
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const refused: [string, object, string][] = [
    ['a file', says(image({ type: 'file', file_id: 'file_1' })), 'messages[0].content[0].source'],
    ['an upload', says({ type: 'container_upload', file_id: 'file_1' }), 'messages[0].content[0]'],
    ['a container', { container: 'container_1' }, 'container'],
    ['an address', says(remote), 'messages[0].content[0].source'],
    ['one in a result', says(result), 'messages[0].content[0].content[0].source'],
    ['one in a document', says(document), 'messages[0].content[0].source.content[0].source'],
    [
      'an MCP server',
      { mcp_servers: [{ type: 'url', url: 'https://m', name: 'm' }] },
      'mcp_servers',
    ],
    ['code', { tools: [{ type: 'code_execution_20250825', name: 'c' }] }, 'tools[0].type'],
  ];

  it.each(refused)('is passed over for %s', (_what, fields, at) => {
    for (const model of [ON_BEDROCK, ON_VERTEX]) {
      expect(() => sent(model, named(HAIKU, fields))).toThrow(`${at}: `);
      expect(sent(model, named(model, fields))).toMatchObject(fields);
    }
    expect(sent(HAIKU, named('anthropic/claude-opus-5', fields))).toMatchObject(fields);
  });

  it('searches on Vertex and not on Bedrock', () => {
    const fields = { tools: [search] };
    expect(() => sent(ON_BEDROCK, named(HAIKU, fields))).toThrow('tools[0].type: ');
    expect(sent(ON_VERTEX, named(HAIKU, fields))).toMatchObject(fields);
  });

  it('is asked for what it has', () => {
    const fields = {
      ...says(image(data), { ...result, content: [image(data)] }),
      tools: [
        { name: 'f', input_schema: { type: 'object' } },
        { type: 'bash_20250124', name: 'bash' },
      ],
    };
    expect(sent(ON_BEDROCK, named(HAIKU, fields))).toMatchObject(fields);
    expect(sent(ON_VERTEX, named(HAIKU, fields))).toMatchObject(fields);
  });

  it('may be named files by another Claude of its own provider, and by nobody', () => {
    const fields = says(image({ type: 'file', file_id: 'file_1' }));
    const mine = 'mine/claude-haiku-4-5';
    expect(sent(mine, named('mine/claude-opus-5', fields))).toMatchObject(fields);
    expect(sent(mine, named('@router', fields))).toMatchObject(fields);
    expect(() => sent(mine, named(HAIKU, fields))).toThrow('is kept by its own provider');
    expect(() => sent(ON_VERTEX, named('@router', fields))).toThrow('is kept by its own provider');
  });

  it('is passed over for callers of another format, too', () => {
    const { messages } = says(remote);
    for (const model of [ON_BEDROCK, ON_VERTEX]) {
      const call = messagesCall({ model, messages: messages as never, place: { region: 'r' } });
      const codec = model === ON_BEDROCK ? bedrockAnthropicCodec : vertexAnthropic.codec!;
      const encode = (asked: string) =>
        codec.encode({ ...call, request: { ...call.request, model: asked } });
      expect(() => encode('openai/gpt-5')).toThrow('this cloud fetches nothing');
      expect(encode(model)).toHaveLength(1);
    }
  });
});

describe('system turns', () => {
  const changed = {
    role: 'system',
    content: [
      { type: 'text', text: 'Be brief.' },
      { type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } },
    ],
  };
  const tools = [{ name: 'a' }, { name: 'b' }];
  const asked = named('anthropic/claude-opus-5', { messages: [hello, changed], tools });

  it.each([HAIKU, ON_BEDROCK, ON_VERTEX])('are the user’s for %s, as it has none', (model) => {
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'text', text: 'Be brief.' },
    ];
    expect(sent(model, asked)).toMatchObject({
      messages: [{ role: 'user', content }],
      tools: [{ name: 'b' }],
    });
  });

  it('stay what they are where they are known, and where the caller names the model', () => {
    const { model: _model, ...same } = asked;
    expect(sent('anthropic/claude-opus-4-8', asked)).toEqual(same);
    expect(sent(HAIKU, { ...asked, model: HAIKU })).toEqual(same);
  });
});

describe('what turns of the system set', () => {
  const SONNET = 'anthropic/claude-sonnet-5-5';
  const set = { role: 'system', content: [], output_config: { effort: 'low' } };
  const once = { role: 'system', content: 'Once', clear_at: 'next_user_message' };
  const answer = { role: 'assistant', content: 'Hello' };
  const messages = [hello, once, answer, set, hello];
  const output_config = { effort: 'high' };

  it.each([
    ['anthropic/claude-opus-4-8', { effort: 'low' }],
    [HAIKU, undefined],
  ])('is the request’s where %s stands in for the model', (model, told) => {
    const body = sent(model, named(SONNET, { messages, output_config }));
    expect(body.messages).toEqual([hello, answer, hello]);
    expect(body.output_config).toEqual(told);
  });

  it('stays where it is for the model that was named', () => {
    expect(sent(SONNET, named(SONNET, { messages, output_config })).messages).toEqual(messages);
  });
});

describe('the least that a Claude can think', () => {
  const least = { type: 'between_tools' };
  const asked = { thinking: least, output_config: { effort: 'medium' } };

  it.each([
    ['anthropic/claude-opus-4-8', { type: 'disabled' }, 'medium'],
    [HAIKU, { type: 'disabled' }, undefined],
    ['anthropic/claude-opus-5-5', undefined, 'low'],
    ['vertex/claude-sonnet-5-5', least, 'medium'],
  ])('is asked of %s by %j and the effort %s', (model, thinking, effort) => {
    const body = sent(model, named('anthropic/claude-sonnet-5-5', asked));
    expect(body.thinking).toEqual(thinking);
    expect(body.output_config).toEqual(effort && { effort });
  });
});

describe('thoughts that are to be cleared', () => {
  const clear = { type: 'clear_thinking_20251015', keep: 'all' };
  const uses = { type: 'clear_tool_uses_20250919' };
  const result = { type: 'tool_result', tool_use_id: 't', content: '' };
  const loop = [
    hello,
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a', input: {} }] },
    { role: 'user', content: [result] },
  ];
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  const asked = (model: string, edits: object[]) =>
    named(model, { thinking, messages: loop, context_management: { edits } });

  it.each([
    [HAIKU, HAIKU],
    [HAIKU, 'openai/gpt-5'],
    [ON_BEDROCK, ON_BEDROCK],
  ])('are none for %s where thinking is taken away, named %s', (model, name) => {
    const off = { thinking: { type: 'disabled' } };
    expect(sent(model, asked(name, [clear]))).not.toHaveProperty('context_management');
    expect(sent(model, asked(name, [clear, uses]))).toMatchObject({
      ...off,
      context_management: { edits: [uses] },
    });
  });

  it('are cleared where it thinks, and where the caller says so', () => {
    const begun = { ...asked('openai/gpt-5', [clear]), messages: [hello] };
    expect(sent(HAIKU, begun)).toMatchObject({ thinking, context_management: { edits: [clear] } });
    const off = { ...asked(HAIKU, [clear]), thinking: { type: 'disabled' } };
    expect(sent(HAIKU, off)).toMatchObject({ context_management: { edits: [clear] } });
  });
});

describe('a Claude that the caller did not name', () => {
  it('gets a schema as it takes one', () => {
    const schema = { type: 'object', properties: { a: { type: 'number', minimum: 1 } } };
    const format = { type: 'json_schema', schema };
    const asked = named('google/gemini-2.5-flash', { output_config: { format } });
    expect(sent(HAIKU, asked).output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { a: { type: 'number', description: '{minimum: 1}' } },
          additionalProperties: false,
        },
      },
    });
    expect(sent(HAIKU, { ...asked, model: HAIKU }).output_config).toEqual({ format });
  });

  it('is not sampled under a version that refuses it, which clouds do not hear of', () => {
    const version = { 'anthropic-version': '2026-10-21' };
    const asked = named('openai/gpt-4o', { temperature: 0.2 });
    expect(sent(HAIKU, asked, version)).not.toHaveProperty('temperature');
    expect(sent(HAIKU, asked)).toHaveProperty('temperature', 0.2);
    expect(sent(ON_BEDROCK, asked, version)).toHaveProperty('temperature', 0.2);
    expect(sent(HAIKU, { ...asked, model: HAIKU }, version)).toHaveProperty('temperature', 0.2);
  });

  it('does not think before a tool that is forced', () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    const forced = { thinking, tools: [{ name: 'a' }], tool_choice: { type: 'any' } };
    const asked = named('openai/gpt-5', forced);
    for (const model of [HAIKU, 'anthropic/claude-opus-4-8', ON_VERTEX]) {
      expect(sent(model, asked)).not.toHaveProperty('thinking');
    }
    expect(sent(HAIKU, { ...asked, model: HAIKU })).toHaveProperty('thinking');
  });

  it('gets no blank texts of others, which it refuses', () => {
    const text = (said: string) => ({ type: 'text', text: said });
    const messages = [
      { role: 'user', content: [text(''), text('Hi')] },
      { role: 'user', content: ' ' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [text(' ')] },
      { role: 'user', content: 'Go on' },
    ];
    const blank = { system: [text(''), text('Be brief.')], messages };
    const [first, , ...rest] = messages;
    for (const model of [HAIKU, ON_BEDROCK, ON_VERTEX]) {
      expect(sent(model, named('openai/gpt-5', blank))).toMatchObject({
        system: [text('Be brief.')],
        messages: [{ ...first, content: [text('Hi')] }, rest[0], rest[2]],
      });
      expect(sent(model, named('openai/gpt-5', { system: ' ' }))).not.toHaveProperty('system');
    }
    const silent = { messages: [{ role: 'user', content: '' }] };
    expect(sent(HAIKU, named('openai/gpt-5', silent))).toMatchObject(silent);
    expect(sent(HAIKU, named('anthropic/claude-opus-5', blank))).toMatchObject(blank);
  });

  it('gets nothing that only other makers’ models take', () => {
    expect(sent(HAIKU, named('openai/gpt-4o', { seed: 1 }))).not.toHaveProperty('seed');
    // A field of Anthropic's that is new.
    expect(sent(HAIKU, named('anthropic/claude-opus-5', { pace: 1 }))).toHaveProperty('pace');
  });
});

describe('a faster answer', () => {
  const asked = named('anthropic/claude-opus-5', { speed: 'fast' });

  it.each([HAIKU, ON_BEDROCK, ON_VERTEX])(
    'is asked of no model that nobody named (%s)',
    (model) => {
      expect(sent(model, asked)).not.toHaveProperty('speed');
      expect(sent(model, { ...asked, model })).toHaveProperty('speed', 'fast');
    },
  );
});

describe('a tier of service', () => {
  it.each([
    [HAIKU, 'standard_only', 'standard_only'],
    [HAIKU, 'auto', 'auto'],
    [HAIKU, 'flex', undefined],
    [ON_BEDROCK, 'standard_only', undefined],
    [ON_VERTEX, 'standard_only', undefined],
  ])('is asked of %s, which nobody named, where it has it: %s', (model, tier, wanted) => {
    const asked = named('openai/gpt-5', { service_tier: tier });
    expect(sent(model, asked).service_tier).toBe(wanted);
    expect(sent(model, { ...asked, model }).service_tier).toBe(tier);
  });
});

describe('the automatic cache', () => {
  const mark = { type: 'ephemeral', ttl: '1h' };
  const asked = named(HAIKU, { cache_control: mark });

  it.each([ON_BEDROCK, ON_VERTEX])('is a mark on the last block on %s, which has none', (model) => {
    const body = sent(model, asked);
    expect(body).not.toHaveProperty('cache_control');
    const content = [{ type: 'text', text: 'Hi', cache_control: mark }];
    expect(body.messages).toEqual([{ role: 'user', content }]);
  });

  it('adds no fifth mark, and none to what has one or takes none', () => {
    const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
    const thought = { type: 'thinking', thinking: 'x', signature: 'EqQB' };
    const full = { system: [marked, marked], tools: [marked, marked] };
    const last = (block: object) => [hello, { role: 'assistant', content: [block] }];
    for (const fields of [full, { messages: last(marked) }, { messages: last(thought) }]) {
      const { model: _model, ...rest } = named(HAIKU, fields);
      expect(sent(ON_BEDROCK, { ...asked, ...fields })).toEqual(rest);
    }
  });

  it('is Anthropic’s own', () => {
    expect(sent(HAIKU, asked)).toHaveProperty('cache_control', mark);
  });
});

describe('ids of calls that another model gives again in each turn', () => {
  const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
  const round = (id: string) => [
    { role: 'assistant', content: [use(id)] },
    { role: 'user', content: [result(id)] },
  ];
  const asked = (model: string) =>
    named(model, { messages: [hello, ...round('call_0'), ...round('call_0')] });

  it.each([HAIKU, ON_BEDROCK, ON_VERTEX])('are unique for %s behind another model', (model) => {
    const own = [hello, ...round('call_0'), ...round('call_0_2')];
    expect(sent(model, asked('xai/grok-4.5')).messages).toEqual(own);
  });

  it('stay as the caller has them where the caller names the model', () => {
    expect(sent(HAIKU, asked(HAIKU)).messages).toEqual(asked(HAIKU).messages);
  });
});
