import { expect, it } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { until } from '../../test/support/until.js';
import { restartDelayMs, Supervisor, type WorkerLimits } from './supervisor.js';

/** Listens, says so, and hangs as one does whose event loop is stuck. */
const HANGING = `
  import { createServer } from 'node:http';
  createServer().listen(0, '127.0.0.1', () => {
    process.send({ causeway: 'tell', id: 0, name: 'started', content: '' }, () => {
      process.kill(process.pid, 'SIGSTOP');
    });
  });
`;

/** Has the line of a real worker, and blocks its event loop when it is asked to. */
const BLOCKING = `
  import { createServer } from 'node:http';
  import { lineToPrimary } from '${pathToFileURL(resolve('src/cluster/cluster.module.ts')).href}';
  const line = lineToPrimary();
  const blocked = (ms) => () => {
    const until = Date.now() + ms;
    while (Date.now() < until);
    return process.pid;
  };
  line.on('nothing', blocked(0));
  line.on('two seconds', blocked(2_000));
  line.on('for ever', blocked(Infinity));
  line.on('stop', () => process.exit(0));
  createServer().listen(0, '127.0.0.1', () => {
    line.tell('started', '');
  });
`;

it('waits longer each time before a worker is started again, and never long', () => {
  expect([0, 1, 2, 3].map(restartDelayMs)).toEqual([100, 200, 400, 800]);
  expect([7, 100, 100_000].map(restartDelayMs)).toEqual([10_000, 10_000, 10_000]);
});

/** Ends in another way than well when it is told to stop. */
const DYING = BLOCKING.replace('process.exit(0)', "process.kill(process.pid, 'SIGKILL')");

/** What the supervisors have logged. */
let logged = '';
const log = new Writable({
  write: (chunk, _encoding, done) => {
    logged += String(chunk);
    done();
  },
});

/** How many processes the supervisors have told of as made. */
let forks = 0;

/** Is to keep one worker that runs this module. */
function supervising(
  source: string,
  limits: Partial<WorkerLimits>,
  execArgv: readonly string[] = [],
): Supervisor {
  const exec = join(mkdtempSync(join(tmpdir(), 'causeway-supervisor-')), 'worker.mjs');
  writeFileSync(exec, source);
  cluster.setupPrimary({ exec, execArgv: [...execArgv] });
  const duties = { answers: () => ({}), forked: () => void (forks += 1), left: () => undefined };
  const patient = { toldMs: 60_000, hurriedMs: 60_000, mostSilentBeats: 60, ...limits };
  return new Supervisor(1, duties, patient, pino(log));
}

/** Keeps one worker that runs this module, which has started. */
async function supervised(...kept: Parameters<typeof supervising>): Promise<Supervisor> {
  const supervisor = supervising(...kept);
  // What a worker says first may come before what its server says.
  const listening = once(cluster, 'listening');
  await new Promise((started) => {
    supervisor.start(started);
  });
  await listening;
  return supervisor;
}

it.each<[string, Partial<WorkerLimits>, number]>([
  ['told to stop', { toldMs: 300 }, 1],
  ['told to hurry', { hurriedMs: 300 }, 2],
])('kills what hangs when it was %s long ago, and ends with 1', async (_what, limits, times) => {
  const supervisor = await supervised(HANGING, limits);
  for (let told = 0; told < times; told += 1) supervisor.stop();
  expect(Object.keys(cluster.workers ?? {})).toHaveLength(1);
  expect(await supervisor.ended).toBe(1);
});

it('says of one that dies while it is to stop how it ended, and ends with 1', async () => {
  logged = '';
  const typescript = ['--import', resolve('test/support/typescript.mjs')];
  const supervisor = await supervised(DYING, {}, typescript);
  supervisor.stop();
  expect(await supervisor.ended).toBe(1);
  expect(logged).toMatch(/"ending":"SIGKILL".*"a worker died while it was to stop"/);
});

it('says that the first one was killed before it served, and ends with 1', async () => {
  logged = '';
  const supervisor = supervising("process.kill(process.pid, 'SIGKILL')", {});
  supervisor.start(() => undefined);
  expect(await supervisor.ended).toBe(1);
  expect(logged).toMatch(/"signal":"SIGKILL".*"the first worker was killed before it served"/);
});

it('puts another one into the place of the first that served and had not told that it has started', async () => {
  const listening = "(await import('node:http')).createServer().listen(0, '127.0.0.1')";
  const supervisor = supervising(listening, {});
  const next = once(cluster, 'listening');
  forks = 0;
  supervisor.start(() => undefined);
  // Before the process runs anything.
  expect(forks).toBe(1);
  const [first] = (await next) as [Worker];
  const another = once(cluster, 'listening');
  first.process.kill('SIGKILL');
  const [second] = (await another) as [Worker];
  expect(second.id).not.toBe(first.id);
  expect(forks).toBe(2);
  supervisor.stop();
  second.process.kill('SIGKILL');
  expect(await supervisor.ended).toBe(1);
});

it('puts another one into the place of what hangs, and not of what is busy for seconds', async () => {
  const typescript = ['--import', resolve('test/support/typescript.mjs')];
  const supervisor = await supervised(BLOCKING, { mostSilentBeats: 5 }, typescript);
  const pidAfter = async (what: string, ms: number) => {
    const [pid] = (await supervisor.askAll(what, ms)).values();
    return pid;
  };
  const first = await pidAfter('nothing', 10_000);
  expect(await pidAfter('two seconds', 10_000)).toBe(first);
  void supervisor.askAll('for ever', 1);
  await until(async () => ![undefined, first].includes((await pidAfter('nothing', 200)) as never), {
    seconds: 30,
  });
  supervisor.stop();
  expect(await supervisor.ended).toBe(0);
}, 60_000);
