import { describe, expect, it } from '@jest/globals';
import { type Answer } from './answer.js';
import { countMessageTokens, messages } from './anthropic.js';

const weather = {
  name: 'weather',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { enum: ['c', 'f'] } },
    required: ['city'],
  },
};
const other = { name: 'other', input_schema: { type: 'object' } };

describe('Anthropic messages', () => {
  it('quotes the last user text, with marks for what is no text', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '21 degrees' }] },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'Is that warm?' },
    ];
    const turns = [user('first'), { role: 'assistant', content: 'ok' }, { role: 'user', content }];
    expect(said({ messages: turns })).toBe('You said: 21 degrees\n[image]\nIs that warm?');
    expect(said({ messages: [user('hi'), { role: 'assistant', content: 'He' }] })).toBe(
      'You said: hi',
    );
    expect(said({ messages: [] })).toBe('You said nothing.');
  });

  it('answers in the shape of the API', () => {
    expect(json({ model: 'claude-x', system: 'abcd', messages: [user('efgh')] })).toEqual({
      id: expect.stringMatching(/^msg_\w{24,}$/),
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'You said: efgh' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 2,
        output_tokens: 4,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        service_tier: 'standard',
      },
    });
  });

  it.each([
    [{ max_tokens: 2 }, 'You said', 'max_tokens', null, 2],
    [{ max_tokens: 7 }, 'You said: one STOP two END', 'end_turn', null, 7],
    [{ stop_sequences: ['END', 'STOP'] }, 'You said: one ', 'stop_sequence', 'STOP', 4],
    [{ stop_sequences: ['nowhere', ''] }, 'You said: one STOP two END', 'end_turn', null, 7],
    [{ stop_sequences: ['END'], max_tokens: 1 }, 'You ', 'max_tokens', null, 1],
    [{ stop_sequences: ['You'] }, '', 'stop_sequence', 'You', 1],
  ])('keeps within %j', (limits, text, reason, sequence, tokens) => {
    const body = { ...limits, messages: [user('one STOP two END')] };
    expect(json(body)).toMatchObject({
      content: [{ type: 'text', text }],
      stop_reason: reason,
      stop_sequence: sequence,
      usage: { output_tokens: tokens },
    });
    expect(text).toBe(streamed(body).text);
  });

  it('answers broken characters with whole ones', () => {
    expect(said({ messages: [user('a\ud800b')] })).toBe('You said: a\ufffdb');
  });

  it('says no more than 16,384 tokens unless it is asked to', () => {
    const long = [user('a'.repeat(100_000))];
    const usage = { output_tokens: 16_384 };
    expect(json({ messages: long })).toMatchObject({ stop_reason: 'max_tokens', usage });
    expect(json({ messages: long, max_tokens: 1e9 }).stop_reason).toBe('end_turn');
  });

  it.each([
    [{ type: 'tool', name: 'weather' }, 'weather', { city: 'text', unit: 'c' }],
    [{ type: 'any' }, 'other', {}],
  ])('calls the tool that %j forces', (tool_choice, name, input) => {
    const body = { messages: [user('hi')], tools: [other, weather], tool_choice };
    expect(json(body)).toMatchObject({
      content: [{ type: 'tool_use', id: expect.stringMatching(/^toolu_\w{24,}$/), name, input }],
      stop_reason: 'tool_use',
    });
    expect(JSON.parse(streamed(body).json)).toEqual(input);
  });

  it.each([undefined, { type: 'auto' }, { type: 'none' }])(
    'answers with text when the choice is %j',
    (tool_choice) => {
      const body = { messages: [user('hi')], tools: [weather], tool_choice };
      expect(said(body)).toBe('You said: hi');
    },
  );

  it('leaves out arguments that do not fit in max_tokens', () => {
    const tool_choice = { type: 'tool', name: 'weather' };
    const body = { messages: [user('hi')], tools: [weather], tool_choice, max_tokens: 2 };
    expect(json(body)).toMatchObject({
      content: [{ type: 'tool_use', input: {} }],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 2 },
    });
    expect(streamed(body).json).toBe('');
  });

  it.each(['output_config', 'output_format'])('writes JSON for the schema of %s', (field) => {
    const format = { type: 'json_schema', schema: weather.input_schema };
    const value = field === 'output_config' ? { format } : format;
    const text = said({ messages: [user('hi')], [field]: value });
    expect(JSON.parse(text)).toEqual({ city: 'text', unit: 'c' });
  });

  it('streams the events in their order, and the same answer', () => {
    const { events, text } = streamed({ model: 'm', messages: [user('日本語 👍 and more')] });
    expect(text).toBe('You said: 日本語 👍 and more');
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type !== 'content_block_delta')).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(types.filter((type) => type === 'content_block_delta').length).toBeGreaterThan(2);
    expect(events[0]).toMatchObject({
      message: {
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 6, output_tokens: 1 },
      },
    });
    expect(events[1]).toMatchObject({ index: 0, content_block: { type: 'text', text: '' } });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 6, output_tokens: 9, cache_read_input_tokens: 0 },
    });
  });

  it('starts a tool block with its name and an empty input', () => {
    const { events } = streamed({
      messages: [user('hi')],
      tools: [weather],
      tool_choice: { type: 'any' },
    });
    expect(events[1]).toMatchObject({
      content_block: { type: 'tool_use', name: 'weather', input: {} },
    });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it.each([
    [{}, 'messages: Field required'],
    [{ messages: [], max_tokens: 0 }, 'max_tokens: must be'],
    [{ messages: [], max_tokens: '5' }, 'max_tokens: must be'],
    [{ messages: [], stop_sequences: Array(65).fill('x') }, 'stop_sequences: at most 64'],
    [{ messages: [], tools: [weather], tool_choice: { type: 'tool', name: 'x' } }, "named 'x'"],
  ])('refuses %j', (body, message) => {
    expect(() => messages({ body: { model: 'm', ...body }, created: 0 })).toThrow(message);
  });

  it('counts system, messages and tools', async () => {
    const body = { model: 'm', system: [{ type: 'text', text: 'abcd' }], messages: [user('efgh')] };
    expect(await countMessageTokens({ body, created: 0 })).toEqual({ json: { input_tokens: 2 } });
    const tools = [{ name: 'tool' }];
    expect(await countMessageTokens({ body: { ...body, tools }, created: 0 })).toEqual({
      json: { input_tokens: 6 },
    });
  });
});

function user(content: unknown) {
  return { role: 'user', content };
}

function json(body: object) {
  const answer = messages({ body: { model: 'm', ...body }, created: 0 }) as { json: object };
  return answer.json as { content: { text: string }[]; stop_reason: string };
}

function said(body: object): string {
  return json(body).content[0]!.text;
}

function streamed(body: object) {
  const answer = messages({ body: { model: 'm', ...body, stream: true }, created: 0 }) as Answer;
  const frames = 'frames' in answer ? [...answer.frames] : [];
  const events = frames.map((frame) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(frame) ?? [];
    const event = JSON.parse(data ?? '') as { type: string; delta?: Record<string, string> };
    expect(event.type).toBe(name);
    return event;
  });
  const joined = (field: string) => events.map(({ delta }) => delta?.[field] ?? '').join('');
  return { events, text: joined('text'), json: joined('partial_json') };
}
