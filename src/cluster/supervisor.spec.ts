import { expect, it } from '@jest/globals';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../telemetry/logger.js';
import { type Patience, restartDelayMs, Supervisor } from './supervisor.js';

/** Listens, says so, and hangs as one does whose event loop is stuck. */
const HANGING = `
  import { createServer } from 'node:http';
  createServer().listen(0, '127.0.0.1', () => {
    process.send({ causeway: 'tell', id: 0, name: 'started', content: '' }, () => {
      process.kill(process.pid, 'SIGSTOP');
    });
  });
`;

it('waits longer each time before a worker is started again, and never long', () => {
  expect([0, 1, 2, 3].map(restartDelayMs)).toEqual([100, 200, 400, 800]);
  expect([7, 100, 100_000].map(restartDelayMs)).toEqual([10_000, 10_000, 10_000]);
});

it.each<[string, Patience, number]>([
  ['told to stop', { toldMs: 300, hurriedMs: 60_000 }, 1],
  ['told to hurry', { toldMs: 60_000, hurriedMs: 300 }, 2],
])('kills what hangs when it was %s long ago, and ends with 1', async (_what, patience, times) => {
  const exec = join(mkdtempSync(join(tmpdir(), 'causeway-supervisor-')), 'worker.mjs');
  writeFileSync(exec, HANGING);
  cluster.setupPrimary({ exec, execArgv: [] });
  const duties = { answers: () => ({}), left: () => undefined };
  const logger = createLogger('fatal', process.stdout);
  const supervisor = new Supervisor(1, duties, patience, logger);
  // What a worker says first may come before what its server says.
  const listening = once(cluster, 'listening');
  await new Promise((started) => {
    supervisor.start(started);
  });
  await listening;
  for (let told = 0; told < times; told += 1) supervisor.stop();
  expect(Object.keys(cluster.workers ?? {})).toHaveLength(1);
  expect(await supervisor.ended).toBe(1);
});
