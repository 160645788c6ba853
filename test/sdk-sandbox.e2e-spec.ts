import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { anthropicAt, openaiAt, thrownBy } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const messages = [{ role: 'user' as const, content: 'Hello' }];
const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const gateway = useGateway();

describe("OpenAI's SDK and the sandbox", () => {
  const client = () => openaiAt(gateway.url);
  const echo = { model: 'sandbox/echo', messages };

  it('reads an answer, streamed and not', async () => {
    const { completions } = client().chat;
    const plain = await completions.create(echo);
    expect(plain).toMatchObject({ model: 'sandbox/echo', provider: 'sandbox' });
    expect(plain.choices[0]?.message.content).toBe('You said: Hello');
    const streamed = await completions
      .stream({ ...echo, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe('You said: Hello');
    expect(streamed.usage).toMatchObject(plain.usage!);
  });

  it('runs a tool that it was forced to call', async () => {
    const cities: unknown[] = [];
    const weather = {
      name: 'weather',
      description: 'Tells the weather',
      parameters,
      parse: JSON.parse,
      function: ({ city }: { city: unknown }) => {
        cities.push(city);
        return 'sunny';
      },
    };
    const runner = client().chat.completions.runTools({
      ...echo,
      tools: [{ type: 'function', function: weather }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    });
    expect(await runner.finalFunctionToolCall()).toMatchObject({ name: 'weather' });
    expect(cities).toEqual(['text']);
  });

  it('reads the same vectors in both encodings, in the length asked for', async () => {
    const body = { model: 'sandbox/embedding', input: ['a', 'b'], dimensions: 8 };
    const encoded = await client().embeddings.create(body);
    const plain = await client().embeddings.create({ ...body, encoding_format: 'float' });
    const vectors = ({ data }: typeof plain) =>
      data.map(({ embedding }) => [...new Float32Array(embedding)]);
    expect(vectors(encoded).map(({ length }) => length)).toEqual([8, 8]);
    expect(vectors(encoded)).toEqual(vectors(plain));
  });

  it('draws an image', async () => {
    const size = '16x16' as '1024x1024';
    const drawn = await client().images.generate({ model: 'sandbox/image', prompt: 'x', size });
    const png = Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64');
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16)]).toEqual(['PNG', 16]);
    expect(drawn).toMatchObject({ size: '16x16', output_format: 'png', cost: 0.01 });
  });

  it.each([
    ['error-400', OpenAI.BadRequestError],
    ['error-404', OpenAI.NotFoundError],
    ['error-429', OpenAI.RateLimitError],
    ['error-401', OpenAI.InternalServerError],
    ['error-500', OpenAI.InternalServerError],
    ['error-529', OpenAI.InternalServerError],
  ])('throws its own error for %s', async (name, kind) => {
    const call = client().chat.completions.create({ model: `sandbox/${name}`, messages });
    await thrownBy(kind, call);
  });

  it('throws for a stream that breaks off', async () => {
    const stream = client().chat.completions.stream({ model: 'sandbox/cut-stream', messages });
    await thrownBy(OpenAI.APIError, stream.finalChatCompletion());
  });
});

describe("Anthropic's SDK and the sandbox", () => {
  const client = () => anthropicAt(gateway.url);
  const echo = { model: 'sandbox/echo', messages, max_tokens: 100 };

  it('reads a message, streamed and not, and counts its tokens', async () => {
    const plain = await client().messages.create(echo);
    expect(plain).toMatchObject({
      model: 'sandbox/echo',
      content: [{ type: 'text', text: 'You said: Hello' }],
      provider: 'sandbox',
    });
    const streamed = await client().messages.stream(echo).finalMessage();
    expect(streamed).toMatchObject({ content: plain.content, stop_reason: plain.stop_reason });
    expect(streamed.usage).toMatchObject({ output_tokens: plain.usage.output_tokens });
    const { model } = echo;
    expect(await client().messages.countTokens({ model, messages })).toMatchObject({
      input_tokens: plain.usage.input_tokens,
    });
  });

  it('calls a tool that it was forced to call', async () => {
    const tools = [{ name: 'weather', input_schema: parameters }];
    const tool_choice = { type: 'tool' as const, name: 'weather' };
    const message = await client()
      .messages.stream({ ...echo, tools, tool_choice })
      .finalMessage();
    expect(message).toMatchObject({
      content: [{ type: 'tool_use', name: 'weather', input: { city: 'text' } }],
      stop_reason: 'tool_use',
    });
  });

  it.each([
    ['error-400', Anthropic.BadRequestError],
    ['error-404', Anthropic.NotFoundError],
    ['error-413', Anthropic.ContentTooLargeError],
    ['error-429', Anthropic.RateLimitError],
    ['error-401', Anthropic.InternalServerError],
    ['error-504', Anthropic.GatewayTimeoutError],
    ['error-529', Anthropic.OverloadedError],
  ])('throws its own error for %s', async (name, kind) => {
    await thrownBy(kind, client().messages.create({ ...echo, model: `sandbox/${name}` }));
  });

  it('throws for a stream that breaks off', async () => {
    const stream = client().messages.stream({ ...echo, model: 'sandbox/cut-stream' });
    await thrownBy(Anthropic.APIError, stream.finalMessage());
  });
});
