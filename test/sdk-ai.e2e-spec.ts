import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from '@jest/globals';
import { generateImage, isStepCount, type LanguageModel, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { API_KEY } from './support/gateway.js';
import { MODELS, useScriptedGateway } from './support/scripted-upstream.js';
import { type Said } from './support/scripted-upstream-wire.js';
import { useGateway } from './support/use-gateway.js';

const THINKERS = { ...MODELS, openai: 'deepseek/deepseek-reasoner' };
const city = z.object({ city: z.string() });
const prompt = 'How is the weather?';

interface Client {
  readonly at: (url: string, id: string) => LanguageModel;
  /** What every call of it needs. */
  readonly always?: object;
  /** How it asks a model to think. */
  readonly thinking: object;
}

/** Each client of the Vercel AI SDK. */
const CLIENTS: Readonly<Record<string, Client>> = {
  '@ai-sdk/anthropic': {
    at: (url, id) => createAnthropic({ baseURL: `${url}/v3/v1`, apiKey: API_KEY })(id),
    thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
  },
  '@ai-sdk/openai-compatible': {
    at: (url, id) =>
      createOpenAICompatible({
        name: 'causeway',
        baseURL: `${url}/v3`,
        apiKey: API_KEY,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(id),
    thinking: { causeway: { reasoningEffort: 'high' } },
  },
  '@ai-sdk/openai': {
    at: (url, id) => createOpenAI({ baseURL: `${url}/v3`, apiKey: API_KEY }).responses(id),
    // Without it, the client names earlier items instead of sending them.
    always: { openai: { store: false } },
    thinking: { openai: { forceReasoning: true, reasoningSummary: 'auto', store: false } },
  },
};

describe.each(Object.entries(CLIENTS))('the Vercel AI SDK by %s', (_, { at, always, thinking }) => {
  const gateway = useScriptedGateway();
  const { scripted, upstream } = gateway;
  const formats = Object.keys(MODELS) as (keyof typeof MODELS)[];

  /** Streams a call to its end; what the SDK complains of is an error here. */
  const streamed = async (
    id: string,
    options: Omit<Parameters<typeof streamText>[0], 'model' | 'prompt' | 'messages'> = {},
  ) => {
    const errors: unknown[] = [];
    const result = streamText({
      providerOptions: always as never,
      ...(options as object),
      model: at(gateway.url, id),
      prompt,
      maxOutputTokens: 4000,
      maxRetries: 0,
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    const parts = [];
    for await (const part of result.fullStream) parts.push(part);
    return { result, parts, errors };
  };

  it.each(formats)('reads a text of a model of the %s format', async (format) => {
    scripted.plays([{ text: 'It is sunny. ☀️' }]);
    const { result, errors } = await streamed(MODELS[format]);
    expect(errors).toEqual([]);
    expect(await result.text).toBe('It is sunny. ☀️');
    expect(await result.finishReason).toBe('stop');
    expect(await result.usage).toMatchObject({ inputTokens: 1000, outputTokens: 500 });
    expect(await result.warnings).toEqual([]);
  });

  it.each(
    formats.flatMap((format) => [
      [format, 'one tool', ['Rome']] as const,
      [format, 'two tools at once', ['Rome', 'Oslo']] as const,
    ]),
  )('has a model of the %s format call %s', async (format, _, cities) => {
    const calls: Said[] = cities.map((name) => ({ tool: 'weather', input: { city: name } }));
    scripted.plays(({ results }) =>
      results.length === 0
        ? [{ text: 'I look. ' }, ...calls]
        : [{ text: results.map(({ text }) => text).join(' ') }],
    );
    const asked: string[] = [];
    const weather = tool({
      description: 'Tells the weather',
      inputSchema: city,
      execute: ({ city: name }) => {
        asked.push(name);
        return `Sunny in ${name}.`;
      },
    });
    const { result, errors } = await streamed(MODELS[format], {
      tools: { weather } as never,
      stopWhen: isStepCount(3),
    });
    expect(errors).toEqual([]);
    expect([...asked].sort()).toEqual([...cities].sort());
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps[0]?.text).toBe('I look. ');
    for (const name of cities) expect(await result.text).toContain(`Sunny in ${name}.`);
  });

  it.each(formats)('shows the thinking of a model of the %s format', async (format) => {
    scripted.plays([{ thinking: 'It is July.' }, { text: 'Sunny' }]);
    const { result, errors } = await streamed(THINKERS[format], {
      providerOptions: thinking as never,
    });
    expect(errors).toEqual([]);
    expect(await result.reasoningText).toBe('It is July.');
    expect(await result.text).toBe('Sunny');
  });

  it.each(formats)('gets an object from a model of the %s format', async (format) => {
    const answer = { city: 'Rome "é"' };
    // Where a client makes a tool of the schema, the model has to call it.
    scripted.plays(({ tools: [only] }) => [
      only ? { tool: only.name, input: answer } : { text: JSON.stringify(answer) },
    ]);
    const { result, errors } = await streamed(MODELS[format], {
      output: Output.object({ schema: city }) as never,
    });
    expect(errors).toEqual([]);
    expect(await result.output).toEqual(answer);
    expect(upstream.last.text).toContain('city');
  });

  /** A relayed stream tells it in the provider's words, a translated one in the gateway's. */
  const told = /^(Too many at once|The provider \w+ (is overloaded|failed with status \d+)\.)$/;

  it.each(formats)('is told that a stream of the %s format broke off', async (format) => {
    scripted.plays([{ text: 'It is' }, { error: 'Too many at once' }]);
    const { errors, parts } = await streamed(MODELS[format]);
    expect(errors).toHaveLength(1);
    expect((errors[0] as Error).message).toMatch(told);
    const texts = parts.filter(({ type }) => type === 'text-delta');
    expect(texts.length).toBeGreaterThan(0);
    expect(parts.map(({ type }) => type)).toContain('error');
  });
});

describe('the Vercel AI SDK and images', () => {
  const gateway = useGateway();
  const { upstream } = gateway;

  it.each(['openai/gpt-image-1', 'openai/dall-e-3'])(
    'asks %s for base64 in the words that the model knows',
    async (id) => {
      const png = 'iVBORw0KGgo=';
      upstream.replies(200, { created: 7, data: [{ b64_json: png }] });
      const openai = createOpenAI({ baseURL: `${gateway.url}/v3`, apiKey: API_KEY });
      const { image } = await generateImage({ model: openai.image(id), prompt: 'a fox' });
      expect(image.base64).toBe(png);
      expect(upstream.last.body.response_format).toBe(
        id.includes('gpt-image') ? undefined : 'b64_json',
      );
    },
  );
});
