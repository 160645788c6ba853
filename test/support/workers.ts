import { afterAll } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { temporaryDirectory } from './databases.js';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.js';
import { API_KEY } from './gateway.js';
import { until } from './until.js';

export const WORKERS = 2;

/** Run by every process first: answers tell who gave them, and one signal is a fault. */
const FIRST = `
  import { Server } from 'node:http';
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...values) {
    if (name === 'request') values[1].setHeader('x-worker', process.pid);
    return emit.call(this, name, ...values);
  };
  process.on('SIGUSR2', () => void Promise.reject(new Error('boom')));
`;

export interface Answer {
  readonly status: number;
  readonly worker: number;
  /** Settles when the answer is whole. */
  readonly body: Promise<any>;
}

/** Asks on a connection of its own, so that the next worker gets it. */
export function ask(
  { url }: GatewayProcess,
  path: string,
  body?: object,
  key = API_KEY,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, {
      agent: false,
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    request.once('error', reject).once('response', (response) => {
      request.on('error', () => undefined);
      const whole = text(response);
      whole.catch(() => undefined);
      resolve({
        status: response.statusCode ?? 0,
        worker: Number(response.headers['x-worker']),
        body: whole.then((found) => (found.startsWith('{') ? JSON.parse(found) : found)),
      });
    });
    request.end(body && JSON.stringify(body));
  });
}

export const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The workers that serve; resolves when all of them do. */
export async function workersOf(gateway: GatewayProcess): Promise<number[]> {
  let workers: number[] = [];
  await until(
    async () => {
      const answers = await times(3 * WORKERS, () => ask(gateway, '/health/ready'));
      workers = [...new Set(answers.map(({ worker }) => worker))];
      return workers.length === WORKERS;
    },
    { seconds: 40, everyMs: 200 },
  );
  return workers;
}

/** The workers that serve when another one has taken the place of one that died. */
export async function workersWithout(dead: number, gateway: GatewayProcess): Promise<number[]> {
  let workers: number[] = [];
  await until(
    async () => {
      workers = await workersOf(gateway);
      return !workers.includes(dead);
    },
    { seconds: 40, everyMs: 200 },
  );
  return workers;
}

export async function runs(pid: number): Promise<boolean> {
  await Promise.resolve();
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const opened: GatewayProcess[] = [];
afterAll(() => Promise.all(opened.map((gateway) => gateway.kill())));

/** Starts a gateway with two workers and these settings, in this project unless a directory is said. */
export async function startWorkers(
  settings: Record<string, string> = {},
  directory?: string,
): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(
    { WORKERS: `${WORKERS}`, DATA_DIR: temporaryDirectory(), ...settings },
    { first: FIRST, directory },
  );
  opened.push(gateway);
  return gateway;
}
