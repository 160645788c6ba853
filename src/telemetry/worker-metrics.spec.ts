import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.service.js';
import { type Snapshot, WorkerMetrics } from './worker-metrics.js';

const snapshotOf = async ({ registry }: Metrics): Promise<Snapshot> =>
  JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
const metricsWith = (requests: number): Metrics => {
  const metrics = new Metrics();
  metrics.gauge('size', 'A size.', () => 10);
  metrics.gauge('peak', 'A peak.', () => requests, { together: 'max' });
  for (let request = 0; request < requests; request += 1) {
    metrics.request({ method: 'GET', route: '/x', status: 200, seconds: 0.01 });
  }
  return metrics;
};
const REQUESTS = 'causeway_http_requests_total{method="GET",route="/x",status="2xx"}';
const TIMED = 'causeway_http_request_duration_seconds_bucket{le="0.025",route="/x"}';
const value = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  );

describe('WorkerMetrics', () => {
  it('adds up counters, histograms and gauges, and shows the largest of those that say so', async () => {
    const [one, other] = await Promise.all([2, 3].map((count) => snapshotOf(metricsWith(count))));
    const text = await new WorkerMetrics().text(
      new Map([
        [1, one!],
        [2, other!],
      ]),
    );
    expect(value(text, REQUESTS)).toBe(5);
    expect(value(text, TIMED)).toBe(5);
    expect(value(text, 'causeway_size')).toBe(20);
    expect(value(text, 'causeway_peak')).toBe(3);
  });

  it('counts on with what workers had counted that are gone, however many', async () => {
    const together = new WorkerMetrics();
    for (const id of [1, 2, 3]) {
      await together.text(new Map([[id, await snapshotOf(metricsWith(id))]]));
      together.leave(id);
    }
    const text = await together.text(new Map([[4, await snapshotOf(metricsWith(4))]]));
    expect(value(text, REQUESTS)).toBe(10);
    expect(value(text, TIMED)).toBe(10);
    expect(value(text, 'causeway_size')).toBe(10);
  });

  it('counts a worker once that has answered and left before the others had', async () => {
    const together = new WorkerMetrics();
    const answer = new Map([[1, await snapshotOf(metricsWith(5))]]);
    await together.text(answer);
    together.leave(1);
    const text = await together.text(answer);
    expect(value(text, REQUESTS)).toBe(5);
    expect(text).not.toContain('causeway_size ');
  });

  it('takes a worker that does not answer as it was', async () => {
    const together = new WorkerMetrics();
    await together.text(new Map([[1, await snapshotOf(metricsWith(5))]]));
    expect(value(await together.text(new Map()), REQUESTS)).toBe(5);
  });
});
