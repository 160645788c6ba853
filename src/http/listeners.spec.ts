import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Listeners } from './listeners.js';

@Module({ providers: [Listeners] })
class OnlyListeners {}

const HOST = '127.0.0.1';
const onLinux = process.platform === 'linux' ? it : it.skip;
if (process.platform !== 'linux') console.warn('skipped, being for Linux: many listening sockets');

describe('Listeners', () => {
  const started: INestApplication[] = [];
  const clients: Socket[] = [];
  const listeners = (app: INestApplication) => app.get(Listeners);
  const start = async (port = 0): Promise<{ app: INestApplication; port: number }> => {
    const app = await NestFactory.create(OnlyListeners, { logger: false, abortOnError: false });
    started.push(app);
    await listeners(app).open(app, port, HOST);
    return { app, port: ((app.getHttpServer() as Server).address() as AddressInfo).port };
  };
  const call = (port: number): Socket => {
    const client = connect(port, HOST).on('error', () => undefined);
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    for (const app of started.splice(0)) {
      await listeners(app).close();
      await app.close();
    }
  });

  onLinux('takes in many connections in a few rounds of the event loop', async () => {
    const { app, port } = await start();
    let taken = 0;
    app.getHttpServer().on('connection', () => (taken += 1));
    for (let count = 0; count < 200; count += 1) call(port);
    let rounds = 0;
    for (; taken < 200 && rounds < 1_000; rounds += 1) await nextRound();
    expect(taken).toBe(200);
    expect(rounds).toBeLessThan(100);
  });

  it('answers over each of its sockets', async () => {
    const { port } = await start();
    const statuses = Array.from({ length: 100 }, async () => {
      const { status, text } = await fetch(`http://${HOST}:${port}/`, {
        headers: { connection: 'close' },
      }).then(async (response) => ({ status: response.status, text: await response.text() }));
      return [status, JSON.parse(text).statusCode];
    });
    expect(new Set((await Promise.all(statuses)).flat())).toEqual(new Set([404]));
  });

  it('shares its port with no other gateway', async () => {
    const { port } = await start();
    await expect(start(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('takes in nobody once it closes, and is closed when the last connection has ended', async () => {
    const { app, port } = await start();
    const taken = once(app.getHttpServer(), 'connection');
    const client = call(port);
    await taken;
    let isClosed = false;
    const closed = listeners(app)
      .close()
      .then(() => (isClosed = true));
    for (let count = 0; count < 50; count += 1) {
      const late = connect(port, HOST);
      await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
    expect(isClosed).toBe(false);
    client.destroy();
    await closed;
  });
});
