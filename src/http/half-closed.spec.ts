import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerHalfClosed } from './half-closed.js';
import { openResponses } from './open-responses.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('answerHalfClosed', () => {
  it('keeps no request in memory for a connection that is kept alive', async () => {
    const seen: WeakRef<IncomingMessage>[] = [];
    const server = createServer((request, response) => {
      seen.push(new WeakRef(request));
      response.end('done');
    });
    answerHalfClosed(server, openResponses(server));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const [answer] = (await once(get({ agent, port, host: '127.0.0.1' }), 'response')) as [
      IncomingMessage,
    ];
    await once(answer.resume(), 'end');

    for (let tries = 0; tries < 50 && seen[0]?.deref(); tries += 1) {
      await delay(10);
      collectGarbage();
    }
    expect(seen.map((request) => request.deref())).toEqual([undefined]);
    expect(Object.keys(agent.freeSockets)).toHaveLength(1);
    agent.destroy();
    server.close();
  });
});
