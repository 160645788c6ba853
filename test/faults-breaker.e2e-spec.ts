import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_MS } from '../src/upstream/breaker.js';
import { type Handler } from './support/fake-upstream.js';
import { good } from './support/fault-answers.js';
import { endingOf } from './support/fault-endings.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { error, sends } from './support/fault-modes.js';

/** A model for each status, because each model is judged for itself. */
const BURSTS = {
  500: 'anthropic/claude-haiku-4-5',
  502: 'anthropic/claude-sonnet-4-5',
  503: 'anthropic/claude-opus-4-5',
  504: 'anthropic/claude-opus-4-6',
  529: 'anthropic/claude-sonnet-4-6',
} as const;
const CALLS = 20;

// The probes take their time, also on a busy machine.
const provider = useFaultyProvider({ BREAKER: 'on', UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000' });

describe('UF-17 Bursts of failures', () => {
  const statusOf = (name: string) =>
    Number(Object.entries(BURSTS).find(([, model]) => model === `anthropic/${name}`)?.[0]);
  const failing: Handler = (response, request) =>
    sends(error('api_error', 'No'), statusOf(request.body.model))(response, request);
  const ask = (model: string) => provider.ask('messages', { model });
  const everyModel = async (times: number) => {
    const models = Object.values(BURSTS).flatMap((model) =>
      Array.from({ length: times }, () => model),
    );
    return Promise.all(models.map(ask));
  };

  it('open the breaker, and one probe closes it again', async () => {
    provider.upstream.answers(failing);
    await everyModel(CALLS);
    const before = provider.upstream.received.length;
    const refused = await everyModel(1);
    expect(refused.map(endingOf)).toEqual(refused.map(() => 503));
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(provider.upstream.received).toHaveLength(before);

    // Long enough that another call comes meanwhile.
    provider.upstream.answers(async (response, request) => {
      await delay(200);
      good(response, request);
    });
    await delay(OPEN_MS + 100);
    for (const model of Object.values(BURSTS)) {
      const both = await Promise.all([ask(model), ask(model)]);
      expect(both.map(endingOf).sort()).toEqual([503, 'answer']);
      expect(endingOf(await ask(model))).toBe('answer');
    }
    await provider.settled();
  });
});
