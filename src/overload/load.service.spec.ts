import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { EventEmitter } from 'node:events';
import { type Metrics } from '../telemetry/metrics.service.js';
import { type CallGate } from './call-gate.js';
import { Load } from './load.service.js';

describe('Load', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('counts a call that had to wait for too long as one that was shed', async () => {
    const shed: string[] = [];
    const metrics = { shed: (reason: string) => shed.push(reason) } as unknown as Metrics;
    const load = new Load(metrics, undefined as never, undefined as never);
    const { gate } = load as unknown as { gate: CallGate };
    gate.begin('a');
    gate.limitTo(1, undefined);
    const begun = load.beginLater('a', new EventEmitter() as ServerResponse);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
    gate.limitTo(1, undefined);
    expect(await begun).toBe(false);
    expect(shed).toEqual(['load']);
  });
});
