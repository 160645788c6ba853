import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { allOf, anthropicAt, openaiAt, thrownBy } from '../support/sdk-clients.js';
import { MODELS, useScriptedGateway } from '../support/scripted-upstream.js';
import { type Said } from '../support/scripted-upstream-wire.js';

const THINKERS = { ...MODELS, openai: 'deepseek/deepseek-reasoner' };
const formats = Object.keys(MODELS) as (keyof typeof MODELS)[];
const messages = [{ role: 'user' as const, content: 'How is the weather?' }];
const city = z.object({ city: z.string() });
const cities = ['Rome', 'Oslo'];
const calls: Said[] = cities.map((name) => ({ tool: 'weather', input: { city: name } }));
const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const weather = betaZodTool({
  name: 'weather',
  description: 'Tells the weather',
  inputSchema: city,
  run: ({ city: name }) => `Sunny in ${name}.`,
});
const used = { input: 1000, output: 500 };
const gateway = useScriptedGateway();
const { scripted, upstream } = gateway;
/** Calls both tools, and then tells what they said. */
const worker = () => {
  scripted.plays(({ results }) =>
    results.length === 0
      ? [{ thinking: 'Two cities.' }, { text: 'I look. ' }, ...calls]
      : [{ text: results.map(({ text }) => text).join(' ') }],
  );
};
const broken: Said[] = [{ text: 'It is' }, { error: 'Too many at once' }];
/** A relayed stream tells it in the provider's words, a translated one in the gateway's. */
const TOLD = /Too many at once|The provider \w+ (is overloaded|failed with status \d+)\./;

describe.each(formats)('Anthropic’s SDK and a stream of the %s format', (format) => {
  const client = () => anthropicAt(gateway.url);
  const body = { model: MODELS[format], max_tokens: 4000, messages };

  it('puts a text together', async () => {
    scripted.plays([{ text: 'Sunny ☀️' }]);
    const message = await client().messages.stream(body).finalMessage();
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'Sunny ☀️' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: used.input, output_tokens: used.output },
      model: body.model,
    });
  });

  it('puts thinking, a text and two calls together', async () => {
    worker();
    const stream = client().messages.stream({
      ...body,
      model: THINKERS[format],
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [{ name: 'weather', input_schema: parameters }],
    });
    const { content, stop_reason } = await stream.finalMessage();
    // Gemini's proof of a call stands in thinking without words.
    expect(content.filter((block) => block.type !== 'thinking' || block.thinking)).toMatchObject([
      { type: 'thinking', thinking: 'Two cities.', signature: expect.any(String) },
      { type: 'text', text: 'I look. ' },
      { type: 'tool_use', name: 'weather', input: { city: 'Rome' } },
      { type: 'tool_use', name: 'weather', input: { city: 'Oslo' } },
    ]);
    expect(stop_reason).toBe('tool_use');
  });

  it('runs its tools to the end, where threads are refused too', async () => {
    worker();
    const runner = client().beta.messages.toolRunner({ ...body, stream: true, tools: [weather] });
    const final = await runner.runUntilDone();
    expect(final.content).toMatchObject([{ type: 'text', text: 'Sunny in Rome. Sunny in Oslo.' }]);
    const threads = upstream.received.map(({ body: { thread } }) => thread?.type);
    expect(threads).toEqual(
      format === 'anthropic' ? ['create', 'continue'] : [undefined, undefined],
    );
    if (format !== 'anthropic') return;
    expect(upstream.last.body.thread.previous_message_id).toBe('msg_1');
    expect(upstream.last.body.messages).toHaveLength(1);
  });

  it('runs its tools with the model that the router chooses, which may take no threads', async () => {
    worker();
    const choice = {
      model: '@router',
      router_candidates: [MODELS.anthropic, MODELS[format]],
      routing: { quality_cost: 10 },
      session_id: format,
    };
    const asked = { ...body, ...choice, stream: true as const, tools: [weather] };
    const final = await client().beta.messages.toolRunner(asked).runUntilDone();
    expect(final.content).toMatchObject([{ type: 'text', text: 'Sunny in Rome. Sunny in Oslo.' }]);
    const askedClaude = upstream.received.filter(({ path }) => path.startsWith('/anthropic/'));
    expect(askedClaude).toHaveLength(format === 'anthropic' ? 2 : 0);
  });

  it('gets an object', async () => {
    scripted.plays([{ text: '{"city":"Rome"}' }]);
    const { toJSONSchema } = z;
    const stream = client().messages.stream({
      ...body,
      output_config: { format: { type: 'json_schema', schema: { ...toJSONSchema(city) } } },
    });
    const [block] = (await stream.finalMessage()).content;
    expect(block).toMatchObject({ type: 'text', text: '{"city":"Rome"}' });
    expect(upstream.last.text).toContain('city');
  });

  it('throws where the provider breaks off', async () => {
    scripted.plays(broken);
    const stream = client().messages.stream(body);
    const thrown = await thrownBy(Anthropic.APIError, stream.finalMessage());
    expect(thrown.message).toMatch(TOLD);
  });
});

describe.each(formats)('OpenAI’s SDK and a stream of the %s format', (format) => {
  const client = () => openaiAt(gateway.url);
  const model = MODELS[format];

  it('runs two tools at once to the end of a chat', async () => {
    worker();
    const asked: string[] = [];
    const runner = client().chat.completions.runTools({
      model: THINKERS[format],
      messages,
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'Tells the weather',
            parameters,
            parse: JSON.parse,
            function: ({ city: name }: { city: string }) => {
              asked.push(name);
              return `Sunny in ${name}.`;
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('Sunny in Rome. Sunny in Oslo.');
    expect(asked).toEqual(cities);
    expect(await runner.totalUsage()).toMatchObject({
      prompt_tokens: 2 * used.input,
      completion_tokens: 2 * used.output,
    });
  });

  it('parses an object of a chat and of a response', async () => {
    scripted.plays([{ text: '{"city":"Rome"}' }]);
    const chat = await client()
      .chat.completions.stream({ model, messages, response_format: zodResponseFormat(city, 'c') })
      .finalChatCompletion();
    expect(chat.choices[0]?.message.parsed).toEqual({ city: 'Rome' });
    const response = await client()
      .responses.stream({ model, input: 'Hi', text: { format: zodTextFormat(city, 'c') } })
      .finalResponse();
    expect(response.output_parsed).toEqual({ city: 'Rome' });
    expect(response.usage).toMatchObject({ input_tokens: 1000, output_tokens: 500 });
  });

  it('puts a response with two calls together', async () => {
    worker();
    const stream = client().responses.stream({
      model,
      input: 'Hi',
      tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
    });
    const { output } = await stream.finalResponse();
    const told = output.filter((item) => item.type !== 'reasoning' || item.summary.length > 0);
    expect(told).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Two cities.' }] },
      { type: 'message', content: [{ text: 'I look. ' }] },
      { type: 'function_call', name: 'weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call', name: 'weather', arguments: '{"city":"Oslo"}' },
    ]);
  });

  it('throws where the provider breaks off', async () => {
    scripted.plays(broken);
    const chat = client().chat.completions.stream({ model, messages });
    const thrown = await thrownBy(OpenAI.APIError, chat.finalChatCompletion());
    expect(thrown.message).toMatch(TOLD);
    // OpenAI's own end of a failed response is an event; to the others' belongs one that is thrown.
    const stream = await client().responses.create({ model, input: 'Hi', stream: true });
    const seen = await allOf(stream).catch((error: unknown) => String(error));
    expect(JSON.stringify(seen)).toMatch(TOLD);
  });
});
