import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { temporaryDirectory } from './support/databases.js';
import { launchGateway, type StartingGateway } from './support/gateway-process.js';
import { until } from './support/until.js';

jest.setTimeout(60_000);

/** Every process says who it is. */
const NAMED = `process.stdout.write('process ' + process.pid + '\\n');`;
/** A signal comes at the last moment before the gateway listens, not when it finds out whether it could. */
const STOPPED_LAST = `
  import cluster from 'node:cluster';
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  let tries = cluster.isWorker ? 1 : 0;
  Server.prototype.listen = function (...values) {
    if (tries++ > 0) process.kill(cluster.isWorker ? process.ppid : process.pid, 'SIGTERM');
    return listen.apply(this, values);
  };
`;
/** A signal comes while the code is loaded. */
const stoppedFirst = (signal: string) => `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === './serve.ts') process.kill(process.pid, '${signal}');
      return next(specifier, context);
    },
  });
`;

describe('a signal to stop during the start', () => {
  const opened: StartingGateway[] = [];
  /** Takes connections, and never answers: a gateway that uses it as a database waits. */
  const silent = createServer();
  const sockets: Socket[] = [];
  silent.on('connection', (socket) => {
    sockets.push(socket.on('error', () => undefined));
  });
  beforeAll(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    silent.close();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((gateway) => gateway.kill()));
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const launch = (settings: Record<string, string>, first: string) => {
    const gateway = launchGateway({ DATA_DIR: temporaryDirectory(), ...settings }, { first });
    opened.push(gateway);
    return gateway;
  };
  const waiting = async (settings: Record<string, string> = {}) => {
    const { port } = silent.address() as AddressInfo;
    const address = `postgres://user@127.0.0.1:${port}/causeway`;
    const gateway = launch({ DATABASE_URL: address, ...settings }, NAMED);
    await until(() => sockets.length > 0, { seconds: 40 });
    return gateway;
  };

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'ends it with 0 on %s while its code is loaded',
    async (name) => {
      const gateway = launch({}, stoppedFirst(name));
      expect(await gateway.exited).toBe(0);
      expect(gateway.output).toBe('');
    },
  );

  it('ends it with 0 while it waits for its database', async () => {
    const gateway = await waiting();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output).not.toContain('listening');
  });

  it('ends all of several processes with 0, also where each of them gets it', async () => {
    const gateway = await waiting({ WORKERS: '2' });
    const pids = [...gateway.output.matchAll(/^process (\d+)$/gm)].map(([, pid]) => Number(pid));
    const [worker] = pids.filter((pid) => pid !== gateway.pid);
    process.kill(worker!, 'SIGINT');
    await new Promise((later) => setTimeout(later, 200));
    gateway.signal('SIGINT');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output).not.toContain('listening');
  });

  it.each(['1', '2'])(
    'waits until keys that have been made are shown (WORKERS=%s)',
    async (WORKERS) => {
      const gateway = launch({ WORKERS }, STOPPED_LAST);
      expect(await gateway.exited).toBe(0);
      expect(gateway.output).toMatch(/Admin key: cw_admin_/);
    },
  );
});
