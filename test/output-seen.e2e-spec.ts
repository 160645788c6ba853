import { describe, expect, it } from '@jest/globals';
import { streamStart } from './support/fault-answers.js';
import { asking } from './support/fault-callers.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { messageEvent } from './support/provider-answers.js';
import { until } from './support/until.js';

const provider = useFaultyProvider({ UPSTREAM_IDLE_TIMEOUT_MS: '10000' });

const said = [{ role: 'user', content: 'Hello' }];
const chat = [
  '/v3/chat/completions',
  { model: 'openai/gpt-4o-mini', messages: said, stream: true },
] as const;
const messages = [
  '/v3/v1/messages',
  { model: 'anthropic/claude-haiku-4-5', messages: said, stream: true },
] as const;

/** 3,000 bytes of text, which are 1,000 tokens by our count. */
const SAID = 'abc'.repeat(1_000);
const chunk = (delta: object, more: object = {}, top: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, ...more }], ...top })}\n\n`;
const delta = (fields: object) => messageEvent('content_block_delta', { index: 0, delta: fields });
const text = delta({ type: 'text_delta', text: SAID });
const told = (output_tokens: number) =>
  messageEvent('message_delta', { delta: {}, usage: { output_tokens } });

/** As Python's `json.dumps` writes it. */
const spaced = (wire: string) => wire.replaceAll('":', '": ').replaceAll(',"', ', "');
/** As most libraries write what is not ASCII. */
const escaped = (wire: string) => wire.replaceAll('中', '\\u4e2d');
const SAID_IN_CHINESE = '中'.repeat(1_000);

const parts = [{ type: 'text', text: SAID }];
const usage = { prompt_tokens: 20, completion_tokens: 0, total_tokens: 20 };

describe('What a caller has seen of a stream when he hangs up', () => {
  it.each([
    ['a chat', chat, chunk({ content: SAID })],
    ['a chat with spaces', chat, spaced(chunk({ content: SAID }))],
    ['a chat in parts', chat, chunk({ content: parts })],
    ['a chat that thinks in parts', chat, chunk({ content: [{ type: 't', thinking: parts }] })],
    ['a chat that calls', chat, spaced(chunk({ tool_calls: [{ function: { arguments: SAID } }] }))],
    ['a chat in another script', chat, escaped(chunk({ content: SAID_IN_CHINESE }))],
    ['a chat that is repeated', chat, chunk({ content: SAID }, { message: { content: SAID } })],
    [
      'a chat whose usage came first',
      chat,
      chunk({ content: '' }, {}, { usage }) + chunk({ content: SAID }),
    ],
    ['a message', messages, streamStart() + text],
    ['a message with spaces', messages, spaced(streamStart() + text)],
    [
      'a message in another script',
      messages,
      streamStart() + escaped(delta({ type: 'text_delta', text: SAID_IN_CHINESE })),
    ],
    ['a message whose usage came first', messages, streamStart() + told(2) + text],
  ])('is paid for: %s', async (_, request, sent) => {
    provider.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sent);
    });
    const caller = asking(provider, request);
    await caller.seen(sent.includes(SAID) ? SAID : escaped(SAID_IN_CHINESE));
    caller.request.destroy();
    await until(async () => (await provider.booked(caller.id)).charges.length === 1);
    const { row } = await provider.booked(caller.id);
    expect(row).toMatchObject({ outcome: 'client_closed', output_tokens: 1_000, estimated: true });
    expect(row.input_tokens).toBeGreaterThan(0);
  });

  it.each([
    ['a message', messages],
    ['a chat that Claude answers', ['/v3/chat/completions', messages[1]] as const],
  ])('is paid for with the searches of the web: %s', async (_, request) => {
    const result = (content: unknown) =>
      messageEvent('content_block_start', {
        index: 0,
        content_block: { type: 'web_search_tool_result', tool_use_id: 's', content },
      });
    provider.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamStart({ input_tokens: 10, output_tokens: 1 }));
      response.write(result([{ type: 'web_search_result', url: 'https://a.test' }]) + result([]));
      response.write(result({ type: 'web_search_tool_result_error', error_code: 'unavailable' }));
      response.write(text);
    });
    const caller = asking(provider, request);
    await caller.seen(SAID);
    caller.request.destroy();
    await until(async () => (await provider.booked(caller.id)).charges.length === 1);
    const { row } = await provider.booked(caller.id);
    // 10 × 1 + 1,000 × 5 millionths, and twice a cent
    expect(row).toMatchObject({ outcome: 'client_closed', cost: 0.02501, estimated: true });
  });

  it('is paid for as the provider counted it, where that is more', async () => {
    const counted = { ...usage, completion_tokens: 1_200 };
    provider.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: SAID }, {}, { usage: counted }));
    });
    const caller = asking(provider, chat);
    await caller.seen(SAID);
    caller.request.destroy();
    await until(async () => (await provider.booked(caller.id)).charges.length === 1);
    const { row } = await provider.booked(caller.id);
    expect(row).toMatchObject({ input_tokens: 20, output_tokens: 1_200 });
  });
});

describe('What came of a stream that ends without usage', () => {
  it.each([chunk, (delta: object, more: object) => spaced(chunk(delta, more))])(
    'is paid for (%#)',
    async (write) => {
      provider.upstream.streams(write({ content: SAID }, { finish_reason: 'stop' }));
      const { id, text: shown } = await provider.ask(chat);
      expect(shown).toContain('[DONE]');
      const { row } = await provider.booked(id);
      expect(row).toMatchObject({ outcome: 'ok', output_tokens: 1_000, estimated: true });
    },
  );
});
