import { describe, expect, it } from '@jest/globals';
import { type Handler } from './support/fake-upstream.js';
import { good, goodObject } from './support/fault-answers.js';
import { endingOf } from './support/fault-endings.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { sends } from './support/fault-modes.js';

const provider = useFaultyProvider({ UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000' });

const model = 'anthropic/claude-haiku-4-5';
const messages = [{ role: 'user', content: 'Hello' }];
/** Deeper than a call stack. */
const DEEP = 20_000;

const nested = (depth: number, key = 'a') => `{"${key}":`.repeat(depth) + '1' + '}'.repeat(depth);

/** A good answer that calls a tool with this input. */
const calling = (input: string): Handler => {
  return (response, request) => {
    const { content, ...rest } = goodObject(request);
    const call = `{"type":"tool_use","id":"t","name":"f","input":${input}}`;
    const text = `${JSON.stringify(rest).slice(0, -1)},"content":[${call}]}`;
    return sends(text)(response, request);
  };
};

/** `JSON.stringify` follows members whose names are numbers on the call stack. */
const UNWRITABLE = nested(DEEP, '1');

describe('UF-25 An answer that nests deep', () => {
  it.each([
    ['/v3/v1/messages', 150],
    ['/v3/v1/messages', DEEP],
    ['/v3/chat/completions', DEEP],
  ])('is passed on and paid once on %s: %i levels', async (path, depth) => {
    provider.upstream.answers(calling(nested(depth)));
    const reply = await provider.ask([path, { model, messages, max_tokens: 100 }]);
    expect(endingOf(reply)).toBe('answer');
    expect(reply.text.replaceAll('\\', '')).toContain(nested(depth));
    const { row, charges } = await provider.booked(reply.id);
    expect(row).toMatchObject({ outcome: 'ok', status: 200 });
    expect(charges).toEqual([-row.cost]);
    await provider.settled();
  });

  it('is passed on where it is an image', async () => {
    provider.upstream.answers((response, request) => {
      const text = JSON.stringify({ ...goodObject(request), extra: 0 });
      return sends(text.replace('"extra":0', `"extra":${nested(DEEP)}`))(response, request);
    });
    const reply = await provider.ask('images');
    expect(endingOf(reply)).toBe('answer');
    expect(reply.text).toContain(nested(DEEP));
    const { row, charges } = await provider.booked(reply.id);
    expect([row.outcome, charges]).toEqual(['ok', [-row.cost]]);
  });

  it('is passed on where its inside is large and translated', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: nested(DEEP) } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    provider.upstream.replies(200, {
      id: 'c',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    const body = { model: 'openai/gpt-4o', messages, max_tokens: 100 };
    const reply = await provider.ask(['/v3/v1/messages', body]);
    expect(endingOf(reply)).toBe('answer');
    expect(reply.text).toContain(nested(DEEP));
    const { row, charges } = await provider.booked(reply.id);
    expect([row.outcome, charges]).toEqual(['ok', [-row.cost]]);
  });

  it.each(['/v3/v1/messages', '/v3/chat/completions'])(
    'is left to another model where it is large and nests without measure (%s)',
    async (path) => {
      const deep = calling(`{"a":${'['.repeat(600_000)}${']'.repeat(600_000)}}`);
      provider.upstream.answers((response, request) =>
        (request.body.model.includes('haiku') ? deep : good)(response, request),
      );
      const fallback = 'anthropic/claude-sonnet-4-5';
      const reply = await provider.ask([path, { model, messages, fallbacks: [fallback] }]);
      expect(endingOf(reply)).toBe('answer');
      expect(reply.headers.get('x-causeway-attempts')).toBe(`${model}:502, ${fallback}:ok`);
    },
  );

  it('costs nothing where it cannot be translated', async () => {
    provider.upstream.answers(calling(UNWRITABLE));
    const reply = await provider.ask(['/v3/chat/completions', { model, messages }]);
    expect(endingOf(reply)).toBe(502);
    const { row, charges } = await provider.booked(reply.id);
    expect(row).toMatchObject({ outcome: 'error', status: 502, cost: 0 });
    expect(charges).toEqual([]);
    await provider.settled();
  });

  it('leaves it to another model then, which alone is paid', async () => {
    const deep = calling(UNWRITABLE);
    provider.upstream.answers((response, request) =>
      (request.body.model.includes('haiku') ? deep : good)(response, request),
    );
    const fallback = 'anthropic/claude-sonnet-4-5';
    const body = { model, messages, fallbacks: [fallback] };
    const reply = await provider.ask(['/v3/chat/completions', body]);
    expect(endingOf(reply)).toBe('answer');
    expect(reply.headers.get('x-causeway-attempts')).toBe(`${model}:502, ${fallback}:ok`);
    const { row, charges } = await provider.booked(reply.id);
    expect(row).toMatchObject({ outcome: 'ok', model: fallback });
    expect(charges).toEqual([-row.cost]);
    await provider.settled();
  });
});
