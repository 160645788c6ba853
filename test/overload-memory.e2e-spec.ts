import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { good } from './support/fault-answers.js';
import { asks } from './support/fault-callers.js';
import { endingOf } from './support/fault-endings.js';
import { type MeasuredGateway, startMeasured } from './support/fault-process.js';
import { until } from './support/until.js';

const MB = 1024 * 1024;
const BODY_MB = 8;
const BUDGET_MB = 128;
/** Their bodies alone would be three times the budget, and four times that is set aside for each. */
const CONNECTIONS = 48;
/** What the process takes beside the bodies: sockets, and garbage that is not collected yet. */
const REST_MB = 96;

describe('OV-3 The longest bodies over many connections', () => {
  let gateway: MeasuredGateway;
  beforeAll(async () => {
    gateway = await startMeasured({
      BODY_LIMIT_BYTES: String(BODY_MB * MB),
      MAX_BUFFERED_BYTES: String(BUDGET_MB * MB),
      LOG_LEVEL: 'error',
    });
    gateway.upstream.answers(good);
    expect(endingOf(await asks(gateway.gate, 'messages'))).toBe('answer');
  });
  afterAll(() => gateway.close());

  const content = 'x '.repeat((BODY_MB * MB) / 2 - 100);
  const messages = [{ role: 'user', content }];
  // Bytes, which all of them send: a text would be turned into as many again for each.
  const body = Buffer.from(JSON.stringify({ model: 'anthropic/claude-haiku-4-5', messages }));

  /** Sends a whole body; resolves when it was answered or cut. */
  function send(requests: ClientRequest[]): Promise<void> {
    const { url, key } = gateway.gate;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = httpRequest(`${url}/v3/v1/messages`, { method: 'POST', agent: false, headers });
    requests.push(request);
    return new Promise((resolve) => {
      request.once('error', () => resolve());
      request.once('response', (response) => {
        response.resume();
        resolve();
      });
      request.end(body);
    });
  }

  it('take no more memory than is set aside for them', async () => {
    await gateway.calm();
    const before = gateway.memory('now');
    // The provider takes its time, so that what is let in stays.
    gateway.upstream.answers(() => undefined);
    const requests: ClientRequest[] = [];
    let refused = 0;
    for (let at = 0; at < CONNECTIONS; at++) void send(requests).then(() => (refused += 1));
    await until(() => refused + gateway.upstream.open === CONNECTIONS, { seconds: 40 });
    expect(gateway.upstream.open).toBeGreaterThan(0);
    expect(gateway.memory('highest') - before).toBeLessThan(BUDGET_MB + REST_MB);
    for (const request of requests) request.destroy();
    await until(() => gateway.upstream.open === 0);
    gateway.upstream.answers(good);
    expect(endingOf(await asks(gateway.gate, 'messages'))).toBe('answer');
  });
});
