import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_MS } from '../src/upstream/breaker.js';
import { moveClock } from './support/clock.js';
import { temporaryDirectory } from './support/databases.js';
import { type Handler } from './support/fake-upstream.js';
import { good, type Kind, KINDS } from './support/fault-answers.js';
import { endingOf } from './support/fault-endings.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { error, sends } from './support/fault-modes.js';

const STATUSES = [500, 502, 503, 504, 529];
const CALLS = 20;

/** A model for each kind and status, because each model is judged for itself. */
const modelOf = (kind: Kind, status: number) =>
  `${kind === 'messages' || kind === 'stream' ? 'anthropic' : 'openai'}/${kind}-${status}`;
const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
const rows = KINDS.flatMap((kind) =>
  STATUSES.map((status) => {
    const endpoint = kind === 'stream' ? 'messages' : kind;
    const pricing = '{ input_cost_per_token: 0.000001, output_cost_per_token: 0.000001 }';
    return `  ${modelOf(kind, status)}: { endpoints: [${endpoint}], pricing: ${pricing} }`;
  }),
);
writeFileSync(MODELS_FILE, ['models:', ...rows].join('\n'));

// The probes take their time, also on a busy machine.
const provider = useFaultyProvider({
  BREAKER: 'on',
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000',
  MODELS_FILE,
});

describe('UF-17 Bursts of failures', () => {
  const failing: Handler = (response, request) => {
    const status = Number(/\d+$/.exec(request.body.model)?.[0]);
    return sends(error('api_error', 'No'), status)(response, request);
  };

  it.each(KINDS)('open the breaker, and one probe closes it again (%s)', async (kind) => {
    const ask = (status: number) => provider.ask(kind, { model: modelOf(kind, status) });
    const everyModel = (times: number) =>
      Promise.all(STATUSES.flatMap((status) => Array.from({ length: times }, () => ask(status))));
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
    moveClock(OPEN_MS);
    for (const status of STATUSES) {
      const both = await Promise.all([ask(status), ask(status)]);
      expect(both.map(endingOf).sort()).toEqual([503, 'answer']);
      expect(endingOf(await ask(status))).toBe('answer');
    }
    await provider.settled();
  });
});
