import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { good } from './support/fault-answers.js';
import { useFaultyProvider } from './support/fault-gateway.js';

/** Every way in which the body of a refusal is no use. */
const BODIES: readonly (readonly [string, (response: ServerResponse) => void, object?])[] = [
  [
    'breaks off',
    (response) => {
      response.write('{"error":', () => response.socket?.resetAndDestroy());
    },
  ],
  ['hangs', (response) => response.write('{"error":')],
  ['is too long', (response) => response.end(Buffer.alloc(2 * 1024 * 1024, 'a'))],
  ['is encoded unasked', (response) => response.write('{"error":'), encoded('zstd')],
  ['is encoded twice', (response) => response.write('{"error":'), encoded('gzip, gzip')],
];

function encoded(encoding: string): object {
  return { 'content-encoding': encoding };
}

describe('a refusal whose body', () => {
  const provider = useFaultyProvider();
  let asked: number;

  /** Refuses the first request so, and answers those after it. */
  const refuses = (
    status: number,
    act: (response: ServerResponse) => void,
    headers: object = {},
  ) => {
    provider.upstream.answers((response, request) => {
      asked += 1;
      if (asked > 1) {
        good(response, request);
        return;
      }
      const usual = { 'content-type': 'application/json', 'retry-after': '1000' };
      response.writeHead(status, { ...usual, ...headers });
      act(response);
    });
  };
  beforeEach(() => {
    asked = 0;
  });

  describe.each(BODIES)('%s', (_, act, headers) => {
    it.each(['messages', 'stream', 'embeddings', 'images'] as const)(
      'keeps its status and when to ask again (%s)',
      async (kind) => {
        refuses(429, act, headers);
        const reply = await provider.ask(kind);
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '1000']);
        expect(asked).toBe(1);
        expect((await provider.booked(reply.id)).charges).toEqual([]);
        await provider.settled();
      },
    );

    it('is the caller’s own mistake as before', async () => {
      refuses(400, act, headers);
      const reply = await provider.ask('messages');
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('The provider anthropic answered 400.');
      expect(asked).toBe(1);
      await provider.settled();
    });
  });
});
