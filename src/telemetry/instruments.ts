import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** What a gauge shows: numbers by the value of its label, asked for at every scrape. */
export type Reading = ReadonlyMap<string, number> | number;

/** How a gauge is shown. */
export interface GaugeOptions {
  /** The one that tells the numbers of a map apart. */
  readonly label?: string;
  /** What several processes show: the sum, or the largest. */
  readonly together?: 'sum' | 'max';
}

/** The counters, histograms and gauges of a registry; the names of all begin with `causeway_`. */
export class Instruments {
  constructor(private readonly registry: Registry) {}

  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ ...this.named(name, help), labelNames });
  }

  /** A histogram of times in seconds. */
  timer(name: string, help: string, labelNames: readonly string[]): Histogram {
    return new Histogram({ ...this.named(name, help), labelNames, buckets: SECONDS });
  }

  /** A gauge that reads its value at every scrape. */
  gauge(
    name: string,
    help: string,
    read: () => Reading,
    { label, together = 'sum' }: GaugeOptions = {},
  ): void {
    new Gauge<string>({
      ...this.named(name, help),
      labelNames: label === undefined ? [] : [label],
      aggregator: together,
      collect() {
        const reading = read();
        if (typeof reading === 'number') {
          this.set(reading);
          return;
        }
        this.reset();
        for (const [value, number] of reading) this.set({ [label ?? 'name']: value }, number);
      },
    });
  }

  private named(name: string, help: string) {
    return { name: `causeway_${name}`, help, registers: [this.registry] };
  }
}

/** 404 is `4xx`. A provider's 429 is told apart, because it says something else. */
export function statusClass(status: number): string {
  if (status === 0) return 'none';
  return status === 429 ? '429' : `${Math.trunc(status / 100)}xx`;
}
