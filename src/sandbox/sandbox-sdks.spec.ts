import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import OpenAI, { toFile } from 'openai';
import { sandboxTransport } from './sandbox-transport.js';

const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 3 } },
  required: ['city', 'days'],
};
const made = { city: 'text', days: 3 };

/** The transport behind a real socket, for clients that want an address. */
const server = createServer((request, response) => {
  void (async () => {
    const body = await allOf(request as AsyncIterable<Buffer>);
    const url = new URL(request.url ?? '', 'http://sandbox.invalid');
    const headers = request.headers as Record<string, string>;
    const { signal } = new AbortController();
    const call = { method: 'POST' as const, url, headers, body };
    const answer = await sandboxTransport(call, { signal, stream: false });
    response.writeHead(answer.status, answer.headers);
    for await (const chunk of answer.body) response.write(chunk);
    response.end();
  })();
});
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  openai = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: 'none', maxRetries: 0 });
  anthropic = new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0 });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("Anthropic's SDK", () => {
  const question = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi 👍' }] };
  const tools = [{ name: 'weather', input_schema: parameters }];
  const tool_choice = { type: 'tool' as const, name: 'weather' };

  it('reads an answer and counts tokens', async () => {
    const message = await anthropic.messages.create({ model: 'echo', ...question });
    expect(message.content).toEqual([{ type: 'text', text: 'You said: hi 👍' }]);
    expect(message._request_id).toMatch(/^req_/);
    const { messages } = question;
    expect(await anthropic.messages.countTokens({ model: 'echo', messages })).toMatchObject({
      input_tokens: message.usage.input_tokens,
    });
  });

  it('assembles a streamed answer', async () => {
    const stream = anthropic.messages.stream({ model: 'echo', ...question });
    const pieces: string[] = [];
    stream.on('text', (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    const plain = await anthropic.messages.create({ model: 'echo', ...question });
    expect(message).toMatchObject({ ...plain, id: message.id });
    expect(pieces.length).toBeGreaterThan(2);
  });

  it.each(['plain', 'streamed'])('reads a %s tool call', async (way) => {
    const body = { model: 'echo', ...question, tools, tool_choice };
    const message = await (way === 'plain'
      ? anthropic.messages.create(body)
      : anthropic.messages.stream(body).finalMessage());
    expect(message.content).toMatchObject([{ type: 'tool_use', name: 'weather', input: made }]);
    expect(message.stop_reason).toBe('tool_use');
  });

  it.each([
    [400, Anthropic.BadRequestError, 'invalid_request_error'],
    [401, Anthropic.AuthenticationError, 'authentication_error'],
    [404, Anthropic.NotFoundError, 'not_found_error'],
    [429, Anthropic.RateLimitError, 'rate_limit_error'],
    [529, Anthropic.InternalServerError, 'overloaded_error'],
  ])('knows error %i', async (status, kind, type) => {
    const call = anthropic.messages.create({ model: `error-${status}`, ...question });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, type });
  });

  it('notices a stream that breaks off', async () => {
    const stream = anthropic.messages.stream({ model: 'cut-stream', ...question });
    await expect(stream.finalMessage()).rejects.toThrow();
  });
});

describe("OpenAI's SDK", () => {
  const messages = [{ role: 'user' as const, content: 'hi 👍' }];
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];

  it('reads an answer', async () => {
    const completion = await openai.chat.completions.create({ model: 'echo', messages });
    expect(completion.choices[0]?.message.content).toBe('You said: hi 👍');
    expect(completion._request_id).toMatch(/^req_/);
  });

  it('assembles a streamed answer and its usage', async () => {
    const stream = openai.chat.completions.stream({
      model: 'echo',
      messages,
      n: 2,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices.map(({ message }) => message.content)).toEqual([
      'You said: hi 👍',
      'You said: hi 👍',
    ]);
    expect(completion.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 10 });
  });

  it.each(['plain', 'streamed'])('reads a %s tool call', async (way) => {
    const body = { model: 'echo', messages, tools, tool_choice: 'required' as const };
    const completion = await (way === 'plain'
      ? openai.chat.completions.create(body)
      : openai.chat.completions.stream(body).finalChatCompletion());
    const [choice] = completion.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({ type: 'function', function: { name: 'weather' } });
    expect(JSON.parse((call as { function: { arguments: string } }).function.arguments)).toEqual(
      made,
    );
  });

  it('reads vectors, as base64 by default', async () => {
    const body = { model: 'embedding', input: ['a', 'b'], dimensions: 8 };
    const encoded = await openai.embeddings.create(body);
    const plain = await openai.embeddings.create({ ...body, encoding_format: 'float' });
    expect(encoded.data).toEqual(plain.data);
    expect(encoded.data[1]?.embedding).toHaveLength(8);
  });

  it('generates, edits and streams images', async () => {
    const body = { model: 'image', prompt: 'a fox', size: '16x16' as '1024x1024' };
    const drawn = await openai.images.generate(body);
    const png = Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64');
    const image = await toFile(png, 'fox.png');
    for (const images of [image, [image, image]]) {
      const edited = await openai.images.edit({ ...body, image: images, mask: image, n: 2 });
      expect(edited.data).toHaveLength(2);
    }
    const stream = await openai.images.generate({ ...body, stream: true, partial_images: 1 });
    const events = await allOf(stream);
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
  });

  it.each([
    [400, OpenAI.BadRequestError],
    [401, OpenAI.AuthenticationError],
    [404, OpenAI.NotFoundError],
    [422, OpenAI.UnprocessableEntityError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
  ])('knows error %i', async (status, kind) => {
    const call = openai.chat.completions.create({ model: `error-${status}`, messages });
    await expect(call).rejects.toBeInstanceOf(kind);
  });
});

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
