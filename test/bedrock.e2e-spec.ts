import { describe, expect, it } from '@jest/globals';
import { awsEvent, awsFrame } from './support/aws-frames.js';
import { anthropicAt, openaiAt } from './support/sdk-clients.js';
import { useGatewayBefore } from './support/use-gateway.js';

const CLAUDE = 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0';
const NOVA = 'bedrock/us.amazon.nova-lite-v1:0';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const ask = (model: string, more: object = {}) => ({ model, max_tokens: 50, messages, ...more });

const exception = (name: string, message: string) =>
  awsFrame({ ':message-type': 'exception', ':exception-type': name }, { message });
const chunk = (inner: object) =>
  awsEvent('chunk', { bytes: Buffer.from(JSON.stringify(inner)).toString('base64'), p: 'abcd' });

const usage = { input_tokens: 1000, output_tokens: 1 };
const claude = [
  {
    type: 'message_start',
    message: {
      id: 'msg_bdrk_1',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      usage,
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hé' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 500 } },
  { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 1000 } },
].map(chunk);
const nova = [
  awsEvent('messageStart', { role: 'assistant', p: 'abc' }),
  awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hé' } }),
  awsEvent('contentBlockStop', { contentBlockIndex: 0 }),
  awsEvent('contentBlockStart', {
    contentBlockIndex: 1,
    start: { toolUse: { toolUseId: 'tooluse_1', name: 'get' } },
  }),
  awsEvent('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"a":1}' } } }),
  awsEvent('contentBlockStop', { contentBlockIndex: 1 }),
  awsEvent('messageStop', { stopReason: 'tool_use' }),
  awsEvent('metadata', { usage: { inputTokens: 1000, outputTokens: 500, totalTokens: 1500 } }),
];
const tools = [{ name: 'get', input_schema: { type: 'object' as const, properties: {} } }];

describe('Amazon Bedrock', () => {
  const gateway = useGatewayBefore((url) => ({
    BEDROCK_API_KEY: 'upstream-bedrock-key',
    BEDROCK_BASE_URL: `${url}/aws`,
  }));
  const { upstream } = gateway;

  const post = (body: object) => gateway.post('/v3/v1/messages', body);
  const anthropic = () => anthropicAt(gateway.url);
  const openai = () => openaiAt(gateway.url);
  const streams = (size: number, ...frames: Buffer[]) => {
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      const bytes = Buffer.concat(frames);
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        await new Promise((written) => setImmediate(written));
      }
      response.end();
    });
  };

  it("relays a Claude's answer, and sends the caller's body without what Bedrock does not take", async () => {
    const answer = {
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      usage: { input_tokens: 1000, output_tokens: 500 },
    };
    upstream.replies(200, answer);
    const reply = await post(ask(CLAUDE, { odd: [1] }))
      .set('anthropic-beta', 'claude-code-20250219,context-1m-2025-08-07')
      .expect(200);
    expect(reply.body).toMatchObject({ ...answer, model: CLAUDE, provider: 'bedrock' });
    expect(reply.body.cost).toBeCloseTo(1000 * 1.1e-6 + 500 * 5.5e-6, 12);
    expect(upstream.last.path).toBe(
      '/aws/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke',
    );
    expect(upstream.last.headers.authorization).toBe('Bearer upstream-bedrock-key');
    expect(upstream.last.body).toEqual({
      max_tokens: 50,
      messages,
      odd: [1],
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-1m-2025-08-07'],
    });
  });

  it.each([1, 7, 100_000])('streams a Claude in pieces of %i bytes', async (size) => {
    streams(size, ...claude);
    const message = await anthropic().messages.stream(ask(CLAUDE)).finalMessage();
    expect(message).toMatchObject({
      model: CLAUDE,
      content: [{ type: 'text', text: 'Hé' }],
      stop_reason: 'end_turn',
      usage: { output_tokens: 500 },
    });
  });

  it.each([1, 7, 100_000])('streams Converse in pieces of %i bytes', async (size) => {
    streams(size, ...nova);
    const message = await anthropic().messages.stream(ask(NOVA, { tools })).finalMessage();
    expect(message).toMatchObject({
      model: NOVA,
      content: [
        { type: 'text', text: 'Hé' },
        { type: 'tool_use', id: 'tooluse_1', name: 'get', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1000, output_tokens: 500 },
    });
    expect(upstream.last.path).toBe('/aws/model/us.amazon.nova-lite-v1%3A0/converse-stream');
  });

  it.each([
    [CLAUDE, claude],
    [NOVA, nova],
  ])('answers a chat caller from %s', async (model, frames) => {
    streams(50, ...frames);
    const stream = openai().chat.completions.stream({ model, messages });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message.content).toBe('Hé');
  });

  it.each([
    [CLAUDE, claude, 'Lost it'],
    [NOVA, nova, 'The provider bedrock failed with status 502.'],
  ])(
    'tells of an exception of %s as an error: first as HTTP, later in the stream',
    async (model, frames, message) => {
      streams(1_000, exception('throttlingException', 'Too many tokens'));
      const refused = await post(ask(model, { stream: true })).expect(429);
      expect(refused.body.error).toEqual({ type: 'rate_limit_error', message: 'Too many tokens' });

      streams(1_000, ...frames.slice(0, 3), exception('modelStreamErrorException', 'Lost it'));
      const broken = await post(ask(model, { stream: true })).expect(200);
      expect(broken.text).toContain('"Hé"');
      expect(broken.text).toMatch(/event: error\ndata: /);
      expect(broken.text).toContain(`"message":"${message}"`);
      expect(broken.text).not.toContain('message_stop');
    },
  );

  it.each([
    ['internalServerException', CLAUDE, claude],
    ['serviceUnavailableException', CLAUDE, claude],
    ['internalServerException', NOVA, nova],
  ])('does not tell what AWS says of itself with %s of %s', async (name, model, frames) => {
    streams(1_000, ...frames.slice(0, 3), exception(name, 'internal host ip-10-0-0-7 failed'));
    const { text, headers } = await post(ask(model, { stream: true })).expect(200);
    expect(text).toContain('event: error');
    expect(text).not.toContain('internal host');
    expect(text).toContain(`"request_id":"${headers['x-request-id']}"`);
  });

  it.each([
    [CLAUDE, claude],
    [NOVA, nova],
  ])('does not end a stream of %s that was cut as if it were whole', async (model, frames) => {
    const bytes = Buffer.concat(frames);
    streams(100_000, bytes.subarray(0, bytes.length * 0.7));
    const reply = await post(ask(model, { stream: true })).expect(200);
    expect(reply.text).toContain('event: error');
    expect(reply.text).not.toContain('message_stop');
  });

  it.each([
    ['that failed is a 502', { originalStatusCode: 500 }, 502, 'failed with status 424'],
    ['that says no more is a 502', {}, 502, 'failed with status 424'],
    ['that refused the request is a 400', { originalStatusCode: 422 }, 400, 'Lost it'],
  ])(
    'knows whose fault a ModelErrorException is: of a model %s',
    async (_, told, status, words) => {
      for (const model of [CLAUDE, NOVA]) {
        const headers = { 'x-amzn-errortype': 'ModelErrorException' };
        upstream.replies(424, { message: 'Lost it', ...told }, headers);
        const { body } = await post(ask(model)).expect(status);
        expect(body.error.message).toContain(words);
      }
    },
  );

  it('passes on what AWS says was wrong, and keeps to itself what concerns its own key', async () => {
    const headers = { 'x-amzn-errortype': 'ValidationException:http://internal.amazon.com/' };
    upstream.replies(400, { message: 'The provided model identifier is invalid.' }, headers);
    const reply = await post(ask(NOVA)).expect(400);
    expect(reply.body.error.message).toBe('The provided model identifier is invalid.');
    upstream.replies(403, { Message: 'User: arn:aws:iam::1:user/x is not authorized' });
    expect((await post(ask(CLAUDE)).expect(502)).text).not.toContain('arn:aws');
  });
});
