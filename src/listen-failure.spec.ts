import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { temporaryDirectory } from '../test/support/databases.js';

/** Tries to listen, and answers what problem that is. */
const TRYING = `
  import { createServer } from 'node:http';
  const { listenFailure } = await import('${resolve('src/listen-failure.ts')}');
  process.on('message', ({ host, port }) => {
    createServer()
      .on('error', (error) => process.send(String(listenFailure(error, { host, port }).problems)))
      .listen(port, host);
  });
  process.send('ready');
`;

/** The first process listens for its workers, so that they hear of a failure in other words. */
describe('a worker of several, too, names', () => {
  const other = createServer();
  let worker: Worker;
  beforeAll(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const exec = join(temporaryDirectory(), 'worker.mjs');
    writeFileSync(exec, TRYING);
    const typescript = ['--import', resolve('test/support/typescript.mjs')];
    cluster.setupPrimary({ exec, execArgv: typescript });
    worker = cluster.fork();
    await once(worker, 'message');
  });
  afterAll(() => {
    other.close();
    worker.process.kill('SIGKILL');
  });

  it.each([
    ['a HOST that has no address', 'HOST nosuch.invalid', 'getaddrinfo ENOTFOUND nosuch.invalid'],
    ['a HOST that is another machine', 'HOST 192.0.2.1', 'bind EADDRNOTAVAIL 192.0.2.1'],
    ['a PORT that is in use', 'PORT', 'bind EADDRINUSE 127.0.0.1'],
  ])('%s', async (_, setting, reason) => {
    const [name, host = '127.0.0.1'] = setting.split(' ');
    const port = name === 'PORT' ? (other.address() as AddressInfo).port : 0;
    worker.send({ host, port });
    const [problem] = (await once(worker, 'message')) as [string];
    const [setTo, at] = port === 0 ? [host, ''] : [`${port}`, `:${port}`];
    expect(problem).toBe(`${name} ${setTo} cannot be listened on: ${reason}${at}`);
  });
});
