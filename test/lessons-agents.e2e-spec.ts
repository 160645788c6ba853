import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from './support/fake-upstream.js';
import {
  ask,
  assistant,
  chunk,
  CLAUDE,
  DONE,
  eventsIn,
  EVERY,
  GEMINI,
  GPT,
  messageIn,
  NOVA,
  result,
  text,
  tool,
  TRANSLATED,
  use,
  user,
} from './support/lessons.js';
import { anthropicAt } from './support/sdk-clients.js';
import { useScriptedGateway } from './support/scripted-upstream.js';
import { USED } from './support/scripted-upstream-wire.js';

const MESSAGES = '/v3/v1/messages';
const CHAT = '/v3/chat/completions';
const stream = true;

describe('what users of coding agents found wrong behind other gateways', () => {
  const clouds = new FakeUpstream();
  const env: Record<string, string> = { STREAM_PING_MS: '40', AZURE_OPENAI_API_KEY: 'azure-key' };
  beforeAll(async () => {
    await clouds.listen();
    env.AZURE_OPENAI_BASE_URL = clouds.url;
  });
  afterAll(() => clouds.close());
  const gateway = useScriptedGateway(env);
  const { scripted, upstream, post, streamedAfter } = gateway;

  it('B#985: Claude Code by way of Azure', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    clouds.streams(chunk({ content: 'Hi' }), chunk({}, 'stop', { usage }), DONE);
    const body = ask('azure-openai/gpt-5', {
      stream,
      system: [{ ...text('You are an agent.'), cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'adaptive' },
      tools: [tool('read')],
    });
    const { text: streamed } = await post(`${MESSAGES}?beta=true`, body).expect(200);
    expect((await messageIn(streamed)).content).toEqual([text('Hi')]);
    expect(clouds.last.path).toMatch(/\/deployments\/gpt-5\/chat\/completions\?api-version=/);
    expect(clouds.last.headers).toMatchObject({ 'api-key': 'azure-key' });
  });

  it('Portkey-AI/gateway#1417: Bedrock and Anthropic’s SDK', async () => {
    scripted.plays([{ text: 'I look.' }, { tool: 'read', input: { path: '/a' } }]);
    const asked = ask(NOVA, { tools: [tool('read')] }) as Anthropic.MessageStreamParams;
    const said = await anthropicAt(gateway.url).messages.stream(asked).finalMessage();
    expect(said).toMatchObject({
      model: NOVA,
      stop_reason: 'tool_use',
      content: [text('I look.'), { type: 'tool_use', name: 'read', input: { path: '/a' } }],
      usage: { input_tokens: USED.input, output_tokens: USED.output },
    });
  });

  it.each(EVERY)('Portkey-AI/gateway#1518: no Responses API (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    const { text: streamed } = await post('/v3/responses', { model, input: 'Hello', stream });
    const { name, data } = eventsIn(streamed).at(-1)!;
    expect(name).toBe('response.completed');
    expect(data.response.output.at(-1).content[0].text).toBe('Hi');
  });

  it.each(TRANSLATED)('vercel/ai#17326: message_start counts 0 (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    const { text: streamed } = await post(MESSAGES, ask(model, { stream })).expect(200);
    expect(eventsIn(streamed)[0]!.data.message.usage.input_tokens).toBeGreaterThan(0);
  });

  // Gemini counts itself: see L#26324.
  const counted = TRANSLATED.filter(([, model]) => model !== GEMINI);
  it.each(counted)('vercel/ai#17326: count_tokens is 404 (%s)', async (_, model) => {
    const { body, headers } = await post(`${MESSAGES}/count_tokens`, ask(model)).expect(200);
    expect(body.input_tokens).toBeGreaterThan(0);
    expect(headers['x-causeway-estimated']).toBe('true');
  });

  it.each(TRANSLATED)(
    'MadAppGang/claudish#123 and #152: placeholders of input_tokens (%s)',
    async (_, model) => {
      scripted.plays([{ text: 'Hi' }]);
      const { text: streamed } = await post(MESSAGES, ask(model, { stream })).expect(200);
      const { data } = eventsIn(streamed).findLast(({ name }) => name === 'message_delta')!;
      expect(data.usage).toMatchObject({ input_tokens: USED.input, output_tokens: USED.output });
    },
  );

  it.each(TRANSLATED)(
    'anthropics/claude-code#68900: the attribution that changes with each call (%s)',
    async (_, model) => {
      scripted.plays([{ text: 'Hi' }]);
      const sent: string[] = [];
      for (const cch of ['aaaaa', 'bbbbb']) {
        const line = text(`x-anthropic-billing-header: cc_version=2.1.0; cch=${cch};`);
        await post(MESSAGES, ask(model, { system: [line, text('Be brief.')], stream })).expect(200);
        sent.push(upstream.last.text);
      }
      expect(sent[0]).toBe(sent[1]);
      expect(sent[0]).toContain('Be brief.');
    },
  );

  it('musistudio/claude-code-router#1220: a turn that does not begin as the one before it', async () => {
    scripted.plays([{ text: 'Hi' }]);
    const turns = [
      user(text('Read')),
      assistant(text('I look.'), use('call_a')),
      user(result('call_a')),
      assistant(text('Done.')),
      user(text('Thanks')),
    ];
    const sent: unknown[][] = [];
    for (const count of [1, 3, 5]) {
      const body = ask(GPT, { messages: turns.slice(0, count), tools: [tool('read')], stream });
      await post(MESSAGES, body).expect(200);
      const { messages } = upstream.last.body;
      expect(messages.slice(0, sent.at(-1)?.length ?? 0)).toEqual(sent.at(-1) ?? []);
      sent.push(messages);
    }
    expect(sent.map(({ length }) => length)).toEqual([1, 3, 5]);
  });

  it.each([
    ['L#36024: no pings during long thinking', CLAUDE, MESSAGES, 'event: ping'],
    ['Wei-Shaw/sub2api#770: no pings, and a CDN that gives up', GPT, MESSAGES, 'event: ping'],
    ['Wei-Shaw/sub2api#770: no pings, and a CDN that gives up', CLAUDE, CHAT, ': ping'],
  ])('%s (%s, %s)', async (_, model, path, ping) => {
    scripted.plays([{ text: 'Hi there' }]);
    const streamed = await streamedAfter(3, ping, path, ask(model, { stream }));
    expect(streamed.split('\n').filter((line) => line === ping).length).toBeGreaterThanOrEqual(3);
  });
});
