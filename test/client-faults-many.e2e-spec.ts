import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { begin, good, isStream, KINDS, streamStart } from './support/fault-answers.js';
import { asking, asks } from './support/fault-callers.js';
import { endingOf } from './support/fault-endings.js';
import { endless } from './support/fault-modes.js';
import { type MeasuredGateway, startMeasured } from './support/fault-process.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';

const STALL_MS = 1_500;
/** What the buffers of two sockets and of the gateway may take of one stream. */
const MOST_BUFFERED = 32 * 1024 * 1024;

describe('A gateway whose callers behave badly', () => {
  let gateway: MeasuredGateway;
  beforeAll(async () => {
    gateway = await startMeasured({ STREAM_STALL_MS: String(STALL_MS), LOG_LEVEL: 'error' });
    // As many as are measured: a process grows by up to a tenth while it warms up.
    await leave(1_000);
  });
  afterAll(() => gateway.close());

  const expectGood = async () => {
    gateway.upstream.answers(good);
    for (const kind of KINDS) expect(endingOf(await asks(gateway.gate, kind))).toBe('answer');
  };

  /** So many callers, fifty at a time, who leave before the head or at the first byte. */
  async function leave(callers: number): Promise<void> {
    const { upstream, gate } = gateway;
    upstream.answers((response, request) => {
      if (!isStream(request)) return;
      begin(response, request);
      response.write(streamStart());
    });
    for (let count = 0; count < callers; count += 50) {
      const before = upstream.received.length;
      const some = Array.from({ length: 50 }, (_, at) => asking(gate, KINDS[at % KINDS.length]!));
      await until(() => upstream.received.length === before + some.length);
      for (const { request } of some) request.destroy();
    }
    await until(() => upstream.open === 0);
    upstream.received.length = 0;
  }

  /** How many calls have been answered. */
  const answered = (): Promise<number> => {
    const route = 'method="POST",route="/v3/embeddings"';
    return metric(gateway.gate, `causeway_http_requests_total{${route},status="2xx"}`);
  };

  it('CF-3 keeps no socket, no handle and no memory of a thousand who left', async () => {
    const answeredBefore = await answered();
    await gateway.calm();
    const [memory, handles] = [gateway.memory('now'), gateway.handles()];
    const { aborted } = gateway.upstream;
    await leave(1_000);
    expect(gateway.upstream.aborted - aborted).toBe(1_000);
    await until(() => gateway.handles() <= handles);
    expect(await gateway.upstream.connections).toBe(0);
    await gateway.calm();
    expect(gateway.memory('now')).toBeLessThan(1.1 * memory);
    // Nothing that was answered, and nothing for an operator to look after.
    expect(await answered()).toBe(answeredBefore);
    expect(gateway.output()).not.toContain('"level":50');
    await expectGood();
  });

  it('CF-4 pauses the provider of those who read nothing, and cuts them in time', async () => {
    const readers = 5;
    const mostMemory = 20;
    let written = 0;
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n'.repeat(2_000);
    gateway.upstream.answers(
      endless(streamStart(), ping, (bytes) => {
        written += bytes;
      }),
    );
    await gateway.calm();
    const before = gateway.memory('now');
    const { aborted } = gateway.upstream;
    const callers = Array.from({ length: readers }, () => asking(gateway.gate, 'stream'));
    for (const { request } of callers) request.once('response', (reply) => reply.pause());
    await until(() => gateway.upstream.aborted === aborted + readers);
    expect(written).toBeLessThan(readers * MOST_BUFFERED);
    expect(gateway.memory('highest') - before).toBeLessThan(readers * mostMemory);
    for (const { request } of callers) request.destroy();
    await until(() => gateway.upstream.open === 0);
    await expectGood();
  });
});
