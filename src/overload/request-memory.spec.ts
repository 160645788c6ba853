import { describe, expect, it } from '@jest/globals';
import { type Config } from '../config/config.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { MemoryBudget } from './memory-budget.service.js';
import { RequestMemory } from './request-memory.js';

const MB = 1024 * 1024;
const KB = 1024;

describe('RequestMemory', () => {
  const memoryOf = (headers: Readonly<Record<string, string>>) => {
    const metrics = new Metrics();
    const config = { maxBufferedBytes: 100 * MB, bodyLimitBytes: MB, workers: 1 };
    const budget = new MemoryBudget(config as Config, metrics);
    const request = { headers, log: {}, complete: true } as unknown as GatewayRequest;
    const taken = async () => {
      const gauge = await metrics.registry.getSingleMetric('causeway_buffered_bytes')?.get();
      return gauge?.values[0]?.value;
    };
    return { lease: new RequestMemory(budget, request, 'a'), taken };
  };

  it('takes four bytes for each of a body that is announced, and gives them back', async () => {
    const { lease, taken } = memoryOf({ 'content-length': String(100 * KB) });
    lease.begin(MB);
    expect(await taken()).toBe(64 * KB + 4 * 100 * KB);
    lease.end();
    expect(await taken()).toBe(0);
  });

  it('takes eight megabytes at most for a form, whose files lie on the disk', async () => {
    const headers = { 'content-length': String(90 * MB), 'content-type': 'multipart/form-data' };
    const { lease, taken } = memoryOf(headers);
    lease.begin(MB);
    expect(await taken()).toBe(64 * KB + 8 * MB);
  });

  it('takes as much for a form of unknown length, and all of one that is held like any other body', async () => {
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'multipart/form-data' };
    const { lease, taken } = memoryOf(headers);
    lease.begin(MB);
    expect(await taken()).toBe(64 * KB + 8 * MB);
    lease.forBody(20 * MB);
    expect(await taken()).toBeGreaterThanOrEqual(80 * MB);
  });

  it('takes more as a body of unknown length comes in, and twice what an answer has', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    lease.forBody(MB);
    const withBody = (await taken())!;
    expect(withBody).toBeGreaterThanOrEqual(64 * KB + 4 * MB);
    lease.forAnswer(10 * KB);
    expect(await taken()).toBe(withBody + 20 * KB);
    lease.end();
    expect(await taken()).toBe(0);
  });

  it('takes what an answer will have before it comes, and more only beyond that', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    lease.foreseeAnswer(100 * KB);
    expect(await taken()).toBe(264 * KB);
    lease.forAnswer(60 * KB);
    expect(await taken()).toBe(264 * KB);
    lease.forAnswer(50 * KB);
    expect(await taken()).toBe(284 * KB);
    lease.end();
    expect(await taken()).toBe(0);
  });

  it('takes a quarter of all for an answer at most, and refuses to ask for what has no room', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    lease.foreseeAnswer(1_000 * MB);
    expect(await taken()).toBe(64 * KB + 25 * MB);
    for (let more = 0; more < 2; more++) lease.foreseeAnswer(1_000 * MB);
    expect(() => {
      lease.foreseeAnswer(1_000 * MB);
    }).toThrow(expect.objectContaining({ status: 503 }));
    expect(await taken()).toBe(64 * KB + 75 * MB);
  });

  it('takes more for a body of many objects than for its bytes, and refuses what has no room', async () => {
    const { lease, taken } = memoryOf({ 'content-length': String(300 * KB) });
    lease.begin(MB);
    lease.forParts(300 * KB, 1_000);
    expect(await taken()).toBe(64 * KB + 4 * 300 * KB);
    lease.forParts(300 * KB, 100_000);
    const most = 364 * KB + 64 * 100_000;
    expect(await taken()).toBe(most);
    expect(() => {
      lease.forParts(300 * KB, 2_000_000);
    }).toThrow(expect.objectContaining({ status: 503 }));
    expect(await taken()).toBe(most);
    lease.end();
    expect(await taken()).toBe(0);
  });

  it('refuses a body that there is no room for', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    expect(() => {
      lease.forBody(50 * MB);
    }).toThrow(expect.objectContaining({ status: 503 }));
    expect(await taken()).toBe(64 * KB);
  });

  it('is taken until all is over that outlives the request, whatever began when', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    const early = lease.outlive();
    lease.end();
    expect(await taken()).toBe(64 * KB);
    early();
    expect(await taken()).toBe(0);
    const late = lease.outlive();
    lease.forAnswer(10 * KB);
    expect(await taken()).toBe(84 * KB);
    late();
    expect(await taken()).toBe(0);
  });

  it('takes what waits for its reader, for as long as that waits', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    lease.forReader(100 * KB);
    expect(await taken()).toBe((64 + 192 + 3 * 100) * KB);
    lease.forReader(10 * KB);
    expect(await taken()).toBe((64 + 192 + 3 * 10) * KB);
    lease.end();
    expect(await taken()).toBe(0);
    lease.forReader(0);
    const after = lease.outlive();
    expect(await taken()).toBe(64 * KB);
    after();
    expect(await taken()).toBe(0);
  });

  it('takes nothing when it is over, for what still comes in', async () => {
    const { lease, taken } = memoryOf({});
    lease.begin(MB);
    lease.end();
    lease.forAnswer(MB);
    lease.forBody(MB);
    expect(await taken()).toBe(0);
  });
});
