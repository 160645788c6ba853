import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Handler } from './support/fake-upstream.js';
import {
  begin,
  good,
  goodObject,
  isStream,
  KINDS,
  streamEnd,
  streamStart,
  textBlock,
} from './support/fault-answers.js';
import { asks } from './support/fault-callers.js';
import { messageEvent } from './support/provider-answers.js';
import { endingOf } from './support/fault-endings.js';
import { endless, gzipBomb, leakKey } from './support/fault-modes.js';
import { type MeasuredGateway, startMeasured } from './support/fault-process.js';
import { until } from './support/until.js';

/**
 * What huge answers, one after the other, may take of the gateway's memory, in MB: the longest that is kept has
 * 96, and what they left is collected late. What is sent has 512 and more.
 */
const MOST_MEMORY = 200;

describe('A provider whose answer is huge', () => {
  let gateway: MeasuredGateway;
  let before = 0;
  beforeAll(async () => {
    // With a heap as long as the machine's memory allows, a busy one collects garbage when it has the time.
    gateway = await startMeasured({ NODE_OPTIONS: '--max-old-space-size=256' });
    gateway.upstream.answers(good);
    for (const kind of KINDS) expect(endingOf(await asks(gateway.gate, kind))).toBe('answer');
    await gateway.calm();
    before = gateway.memory('now');
  });
  afterAll(() => gateway.close());

  const MODES: readonly (readonly [string, Handler])[] = [
    ['UF-8 sends JSON without end', endless('{"x":"')],
    ['UF-9 sends a line without end', endless('data: ')],
    ['UF-14 sends a gzip bomb', gzipBomb()],
  ];
  describe.each(MODES)('%s', (_, act) => {
    it.each(KINDS)('is cut, and fits into memory (%s)', async (kind) => {
      await gateway.calm();
      gateway.upstream.answers(act);
      const reply = await asks(gateway.gate, kind);
      expect(endingOf(reply)).toBe(502);
      expect(gateway.memory('highest') - before).toBeLessThan(MOST_MEMORY);
      await until(() => gateway.upstream.open === 0);
      gateway.upstream.answers(good);
      expect(endingOf(await asks(gateway.gate, kind))).toBe('answer');
    });
  });

  it('UF-8 refuses without end, and has refused all the same', async () => {
    let sent = 0;
    gateway.upstream.answers(endless('{"x":"', undefined, (bytes) => void (sent += bytes), 400));
    for (const kind of KINDS) expect(endingOf(await asks(gateway.gate, kind))).toBe(400);
    await until(() => gateway.upstream.open === 0);
    // What was on its way counts, too.
    expect(sent / KINDS.length).toBeLessThan(32 * 1024 * 1024);
  });

  it('UF-8 leaves the answer to another model', async () => {
    gateway.upstream.answers((response, request) =>
      (request.body.model.includes('haiku') ? endless('{"x":"') : good)(response, request),
    );
    const fields = { fallbacks: ['anthropic/claude-sonnet-4-5'] };
    expect(endingOf(await asks(gateway.gate, 'messages', fields))).toBe('answer');
  });

  /** What comes of a stream at its end, or when more came than a text can be long. */
  const endOf = async (path: string, body: object): Promise<string> => {
    const { url, key } = gateway.gate;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = JSON.stringify({ model: 'anthropic/claude-haiku-4-5', stream: true, ...body });
    const reply = await fetch(url + path, { method: 'POST', headers, body: asked });
    let come = 0;
    let end = '';
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
      come += piece.length;
      end = end.slice(-1_000) + Buffer.from(piece.subarray(-1_000)).toString('latin1');
      if (come > 600 * 1024 * 1024) break;
    }
    return end;
  };

  it.each([
    [
      '/v3/responses',
      { input: 'Hello' },
      /"type":"response.failed".*sent an answer that is too long/,
    ],
    ['/v3/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }, /a{1000}$/],
  ])('UF-9 says something without end, and it fits into memory (%s)', async (path, body, end) => {
    await gateway.calm();
    const start = gateway.memory('now');
    gateway.upstream.answers(endless(streamStart(), textBlock('a'.repeat(1 << 20))));
    expect(await endOf(path, body)).toMatch(end);
    expect(gateway.memory('highest') - start).toBeLessThan(1.5 * MOST_MEMORY);
    await until(() => gateway.upstream.open === 0);
  });

  it('UF-18 repeats our key: it is not in the log either', async () => {
    gateway.upstream.answers(leakKey(401));
    for (const kind of KINDS) expect((await asks(gateway.gate, kind)).status).toBe(502);
    await until(() => gateway.output().includes('401'));
    expect(gateway.output()).not.toMatch(/upstream-(openai|anthropic)-key/);
  });

  it.each(KINDS)('UF-18 repeats our key in a good answer: no caller sees it (%s)', async (kind) => {
    gateway.upstream.answers((response, request) => {
      begin(response, request);
      const said = { received: request.headers };
      const text = isStream(request)
        ? streamStart() + messageEvent('echo', said) + textBlock('a') + streamEnd()
        : JSON.stringify({ ...goodObject(request), ...said });
      response.end(text);
    });
    const reply = await asks(gateway.gate, kind);
    expect(endingOf(reply)).toBe('answer');
    expect(reply.text).toContain('[key]');
    expect(reply.text).not.toMatch(/upstream-(openai|anthropic)-key/);
  });
});
