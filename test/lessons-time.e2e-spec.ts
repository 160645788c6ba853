import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { API_KEY } from './support/gateway.js';
import {
  ask,
  chunk,
  CLAUDE,
  DONE,
  GEMINI,
  GPT,
  messageIn,
  text,
  tool,
  TRANSLATED,
} from './support/lessons.js';
import { useScriptedGateway } from './support/scripted-upstream.js';
import { until } from './support/until.js';

const MESSAGES = '/v3/v1/messages';
const stream = true;

describe('what users of coding agents found wrong in time', () => {
  const gateway = useScriptedGateway();
  const { upstream, post } = gateway;
  const begin = (body: object, signal?: AbortSignal) =>
    fetch(`${gateway.url}${MESSAGES}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });

  it('Joouis/agent-maestro#227: the first byte waits for the rest', async () => {
    const rest = new EventTarget();
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: 'First' }));
      await once(rest, 'go');
      response.end(chunk({ content: ' last' }, 'stop') + DONE);
    });
    const { body } = await begin(ask(GPT, { stream }));
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    while (!heard.includes('First')) heard += (await reader.read()).value;
    expect(heard).toContain('event: message_start');
    rest.dispatchEvent(new Event('go'));
    for (let next; !(next = await reader.read()).done;) heard += next.value;
    expect((await messageIn(heard)).content).toEqual([text('First last')]);
  });

  // Bedrock's answers are read on for a while, because AWS charges for them whole: see L#13245.
  const cancelled = TRANSLATED.filter(([format]) => format !== 'converse');
  it.each(cancelled)(
    'tale-project/tale#3396: requests that nobody waits for are served on (%s)',
    async (_, model) => {
      const before = upstream.aborted;
      const waiting = upstream.received.length;
      upstream.answers(() => undefined);
      const caller = new AbortController();
      const call = begin(ask(model, { stream }), caller.signal).catch(() => undefined);
      await until(() => upstream.received.length > waiting);
      caller.abort();
      await call;
      await until(() => upstream.aborted > before);
      expect(upstream.received).toHaveLength(waiting + 1);
    },
  );

  it('L#26324: count_tokens is not translated for other providers', async () => {
    upstream.replies(200, { totalTokens: 7 });
    const body = ask(GEMINI, { system: 'Be brief.', tools: [tool('read')] });
    const { body: counted } = await post(`${MESSAGES}/count_tokens`, body).expect(200);
    expect(counted).toEqual({ input_tokens: 7 });
    expect(upstream.last.path).toContain(':countTokens');
    expect(upstream.last.text).toContain('Be brief.');
    expect(upstream.last.text).toContain('functionDeclarations');
  });

  it('L#15006: count_tokens is for administrators only', async () => {
    upstream.replies(200, { input_tokens: 3 });
    // The key of `post` may infer and nothing else.
    await post('/v3/admin/accounts', { name: 'x' }).expect(403);
    await post(`${MESSAGES}/count_tokens`, ask(CLAUDE)).expect(200);
  });

  it('langwatch/langwatch#6184: models of others hang when they stream through Messages', async () => {
    // The provider says that it is done, but keeps the connection.
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'Hi' }, 'stop') + DONE);
    });
    const reply = await begin(ask(GPT, { stream }), AbortSignal.timeout(5_000));
    expect((await messageIn(await reply.text())).content).toEqual([text('Hi')]);
  });
});
