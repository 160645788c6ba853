import { expect, it, jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { type GatewayProcess } from './support/gateway-process.js';
import { API_KEY } from './support/gateway.js';
import { ask, startWorkers, times, workersOf, workersWithout } from './support/workers.js';

/** Each round starts three processes. */
jest.setTimeout(120_000);
const ECHO = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] };

/** Asks, each time on a connection of its own, until nobody listens. */
async function askedUntilRefused(gateway: GatewayProcess): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (;;) {
    try {
      const { status, body } = await ask(gateway, '/v3/chat/completions', ECHO);
      await body;
      answers.push(status);
    } catch (error) {
      const { syscall, code } = error as NodeJS.ErrnoException;
      // What could not connect has sent nothing.
      return syscall === 'connect' ? answers : [...answers, code];
    }
    await delay(30 * Math.random());
  }
}

const REFUSED_LATE = 'ECONNRESET';
const STOPS = 4;

it('answers those whom the last listener lets in', async () => {
  const all: unknown[] = [];
  for (let stop = 0; stop < STOPS; stop += 1) {
    const gateway = await startWorkers({ CAUSEWAY_API_KEY: API_KEY, RATE_LIMIT: '100000/s' });
    await workersOf(gateway);
    const asked = times(6, () => askedUntilRefused(gateway));
    await delay(200);
    gateway.signal('SIGTERM');
    all.push(...(await asked).flat());
    expect(await gateway.exited).toBe(0);
  }
  const bad = all.filter((status) => status !== 200);
  expect(all.length).toBeGreaterThan(STOPS * 6);
  expect(bad.filter((code) => code !== REFUSED_LATE)).toEqual([]);
  // One may come while the system halts the process between its last look and the close.
  expect(bad.length).toBeLessThanOrEqual(1);
});

/** Of which `startWorkers` makes an error that nobody catches. */
const FAULT = 'SIGUSR2';

it('replaces workers and stops where nobody reads its log', async () => {
  const gateway = await startWorkers({ CAUSEWAY_API_KEY: API_KEY, RATE_LIMIT: '100000/s' });
  await workersOf(gateway);
  gateway.leaveUnread();
  // More than the system keeps of it, for each worker.
  for (let round = 0; round < 150; round += 1) {
    await times(20, async () => (await ask(gateway, `/v3/${'x'.repeat(200)}`)).body);
  }
  for (const end of ['SIGKILL', FAULT]) {
    const [first = 0] = await workersOf(gateway);
    process.kill(first, end);
    await workersWithout(first, gateway);
  }
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
});
