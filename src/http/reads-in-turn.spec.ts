import { describe, expect, it } from '@jest/globals';
import { ServerResponse } from 'node:http';
import { setImmediate as round } from 'node:timers/promises';
import { useStillClock } from '../../test/support/clock.js';
import { type ArrivedRequest } from './gateway-request.js';
import { readsInTurn } from './reads-in-turn.js';

/** Has requests come in; tells which have begun. */
function arrivals() {
  const step = readsInTurn();
  const begun: string[] = [];
  const arrive = (method: string, url: string): ServerResponse => {
    const request = { method, url } as ArrivedRequest;
    const response = new ServerResponse(request);
    step(request, response, () => begun.push(`${method} ${url}`));
    return response;
  };
  return { begun, arrive };
}

describe('readsInTurn', () => {
  const clock = useStillClock();

  it('begins one read in each round of the event loop, in their order', async () => {
    const { begun, arrive } = arrivals();
    for (const path of ['/docs/', '/v3/models', '/nowhere']) arrive('GET', path);
    expect(begun).toEqual(['GET /docs/']);
    await round();
    expect(begun).toEqual(['GET /docs/', 'GET /v3/models']);
    await round();
    expect(begun).toEqual(['GET /docs/', 'GET /v3/models', 'GET /nowhere']);
    await round();
    await round();
    arrive('GET', '/v3/me');
    expect(begun.at(-1)).toBe('GET /v3/me');
  });

  it('keeps neither calls nor health checks waiting', () => {
    const { begun, arrive } = arrivals();
    for (const path of ['/docs/', '/v3/models']) arrive('GET', path);
    arrive('POST', '/v3/chat/completions');
    arrive('GET', '/health/live');
    expect(begun).toEqual(['GET /docs/', 'POST /v3/chat/completions', 'GET /health/live']);
  });

  it('begins more of them where a round is long', async () => {
    const { begun, arrive } = arrivals();
    for (let count = 0; count < 20; count += 1) arrive('GET', '/v3/models');
    clock.now += 40;
    await round();
    expect(begun).toHaveLength(11);
  });

  it('begins nothing for a caller who has left', async () => {
    const { begun, arrive } = arrivals();
    arrive('GET', '/docs/');
    arrive('GET', '/left').end();
    arrive('GET', '/v3/models');
    for (let count = 0; count < 4; count += 1) await round();
    expect(begun).toEqual(['GET /docs/', 'GET /v3/models']);
  });
});
