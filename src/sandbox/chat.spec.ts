import { describe, expect, it } from '@jest/globals';
import { chatCompletions } from './chat.js';

const created = 1_700_000_000;
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const tools = [{ type: 'function', function: { name: 'weather', parameters } }];

describe('OpenAI chat completions', () => {
  it('answers in the shape of the API', () => {
    expect(json({ model: 'gpt-x', messages: [user('abcdefgh')] })).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w{24,}$/),
      object: 'chat.completion',
      created,
      model: 'gpt-x',
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'You said: abcdefgh', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 2,
        completion_tokens: 5,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      },
    });
  });

  it('quotes parts and tool results', () => {
    const parts = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    expect(said({ messages: [user(parts)] })).toBe('You said: look\n[image]');
    const tool = { role: 'tool', tool_call_id: 'c', content: '21 degrees' };
    const calls = { role: 'assistant', content: null, tool_calls: [{ id: 'c' }] };
    expect(said({ messages: [user('hi'), calls, tool] })).toBe('You said: 21 degrees');
  });

  it.each([
    [{ max_tokens: 2 }, 'You said', 'length'],
    [{ max_completion_tokens: 1, max_tokens: 2 }, 'You ', 'length'],
    [{ max_tokens: null }, 'You said: a STOP b', 'stop'],
    [{ stop: 'STOP' }, 'You said: a ', 'stop'],
    [{ stop: ['b', 'STOP'] }, 'You said: a ', 'stop'],
  ])('keeps within %j', (limits, content, finish_reason) => {
    const body = { ...limits, messages: [user('a STOP b')] };
    expect(json(body).choices).toMatchObject([{ message: { content }, finish_reason }]);
    expect(streamed(body).contents).toEqual([content]);
  });

  it.each(['required', { type: 'function', function: { name: 'weather' } }])(
    'calls the tool that %j forces',
    (tool_choice) => {
      const body = { messages: [user('hi')], tools, tool_choice, stop: 'city' };
      const args = '{"city":"text"}';
      const call = {
        id: expect.stringMatching(/^call_\w{24,}$/),
        type: 'function',
        function: { name: 'weather', arguments: args },
      };
      expect(json(body).choices).toMatchObject([
        { message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
      ]);
      const { chunks } = streamed(body);
      const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
      expect(deltas[0]).toMatchObject({ ...call, index: 0, function: { name: 'weather' } });
      expect(deltas.slice(1).every((delta) => delta.index === 0 && !('id' in delta))).toBe(true);
      expect(deltas.map((delta) => delta.function.arguments).join('')).toBe(args);
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
    },
  );

  it.each(['auto', 'none', undefined])('answers with text when the choice is %j', (choice) => {
    expect(said({ messages: [user('hi')], tools, tool_choice: choice })).toBe('You said: hi');
  });

  it('writes JSON when it is asked for', () => {
    const messages = [user('hi "you"')];
    const object = { type: 'json_object' };
    expect(JSON.parse(said({ messages, response_format: object }))).toEqual({ echo: 'hi "you"' });
    const schema = { type: 'json_schema', json_schema: { name: 'x', schema: parameters } };
    expect(JSON.parse(said({ messages, response_format: schema }))).toEqual({ city: 'text' });
  });

  it('gives as many choices as asked for, and counts them all', () => {
    const body = { messages: [user('hi')], n: 3 };
    const { choices, usage } = json(body);
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(usage.completion_tokens).toBe(9);
    expect(streamed(body).contents).toEqual(Array(3).fill('You said: hi'));
  });

  it('streams chunks with the role in the first, and the end marker', () => {
    const { chunks, last } = streamed({ model: 'm', messages: [user('hi')] });
    expect(last).toBe('data: [DONE]\n\n');
    const [first, ...rest] = chunks;
    expect(first).toMatchObject({ object: 'chat.completion.chunk', created, model: 'm' });
    expect(first?.choices).toMatchObject([{ delta: { role: 'assistant', content: '' } }]);
    expect(rest.some(({ choices }) => 'role' in (choices[0]?.delta ?? {}))).toBe(false);
    expect(rest.length).toBeGreaterThan(3);
    expect(chunks.at(-1)?.choices).toMatchObject([{ delta: {}, finish_reason: 'stop' }]);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it('ends with a usage chunk when that is asked for', () => {
    const options = { stream_options: { include_usage: true } };
    const { chunks } = streamed({ messages: [user('hi')], ...options });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 4 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  it.each([
    [{}, 'messages'],
    [{ messages: [], n: 0 }, 'n'],
    [{ messages: [], n: 129 }, 'n'],
    [{ messages: [], max_completion_tokens: 0 }, 'max_completion_tokens'],
    [{ messages: [], max_tokens: 1.5 }, 'max_tokens'],
    [{ messages: [], tool_choice: { function: { name: 'x' } } }, 'tool_choice'],
  ])('refuses %j', (body, param) => {
    expect(() => chatCompletions({ body, created })).toThrow(
      expect.objectContaining({ status: 400, details: expect.objectContaining({ param }) }),
    );
  });

  it('bounds all choices together', () => {
    const { usage } = json({ messages: [user('a'.repeat(5_000_000))], n: 128, max_tokens: 1e9 });
    expect(usage.completion_tokens).toBe(262_144);
  });
});

interface Chunk {
  id: string;
  choices: {
    index: number;
    delta: { content?: string; tool_calls?: { index: number; function: { arguments: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: object | null;
}

function user(content: unknown) {
  return { role: 'user', content };
}

function json(body: object) {
  const answer = chatCompletions({ body: { model: 'm', ...body }, created }) as { json: object };
  return answer.json as {
    choices: { index: number; message: { content: string } }[];
    usage: { completion_tokens: number };
  };
}

function said(body: object): string {
  return json(body).choices[0]!.message.content;
}

function streamed(body: object) {
  const call = { body: { model: 'm', ...body, stream: true }, created };
  const frames = [...(chatCompletions(call) as { frames: Iterable<string> }).frames];
  const last = frames.pop();
  const chunks = frames.map((frame) => {
    expect(frame).toMatch(/^data: .*\n\n$/);
    return JSON.parse(frame.slice(6)) as Chunk;
  });
  const contents: string[] = [];
  for (const { index, delta } of chunks.flatMap(({ choices }) => choices)) {
    contents[index] = (contents[index] ?? '') + (delta.content ?? '');
  }
  return { chunks, last, contents };
}
