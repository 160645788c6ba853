import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Attempt } from '../contract/usage-record.js';

/** A request as its answer ended. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of its route; undefined when it met none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** A call of a model, as it was settled. */
export interface SettledCall {
  readonly endpoint: string;
  readonly outcome: string;
  /** Of its last try; null without one. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly status: number;
  readonly seconds: number;
  readonly firstByteSeconds: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly attempts: readonly Pick<Attempt, 'provider' | 'status' | 'cancelled'>[];
}

/** What a gauge shows: numbers by the value of its label, asked for at every scrape. */
export type Reading = ReadonlyMap<string, number> | number;

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
/** Models come from the operator's files; a flood of them must not become one of series. */
const MOST_MODELS = 1_000;

/** What is counted and timed. No label holds anything that a caller wrote. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly models = new Set<string>();

  private readonly requests = this.counter('http_requests_total', 'Requests that were answered.', [
    'method',
    'route',
    'status',
  ]);
  private readonly requestSeconds = this.histogram(
    'http_request_duration_seconds',
    'From a request to the end of its answer.',
    ['route'],
  );
  private readonly calls = this.counter('calls_total', 'Calls of models, by how they ended.', [
    'endpoint',
    'provider',
    'model',
    'outcome',
  ]);
  private readonly callSeconds = this.histogram(
    'call_duration_seconds',
    'From a request to the end of its call, tries that failed included.',
    ['provider'],
  );
  private readonly firstByteSeconds = this.histogram(
    'call_first_byte_seconds',
    'From a request to the first event of its stream.',
    ['provider'],
  );
  private readonly tokens = this.counter('tokens_total', 'Tokens that were charged for.', [
    'provider',
    'model',
    'direction',
  ]);
  private readonly cost = this.counter('cost_usd_total', 'What calls cost, in USD.', [
    'provider',
    'model',
  ]);
  private readonly attempts = this.counter(
    'upstream_attempts_total',
    'Tries of models, by the status of the answer; none: no whole one, cancelled: another came first.',
    ['provider', 'status'],
  );
  private readonly limited = this.counter(
    'rate_limited_total',
    'Requests that the limits refused.',
    [],
  );
  private readonly unfunded = this.counter(
    'credit_refusals_total',
    'Calls that credits or a spend limit refused.',
    [],
  );

  private readonly shedRequests = this.counter(
    'shed_requests_total',
    'Requests that were refused for want of memory, or under load.',
    ['reason'],
  );

  request({ method, route = 'none', status, seconds }: AnsweredRequest): void {
    this.requests.inc({ method, route, status: classOf(status) });
    this.requestSeconds.observe({ route }, seconds);
  }

  /** A request that was refused before any provider was asked. */
  refused(status: number): void {
    if (status === 429) this.limited.inc();
    if (status === 402) this.unfunded.inc();
  }

  /** A request that the gateway itself had no room for. */
  shed(reason: 'memory' | 'load'): void {
    this.shedRequests.inc({ reason });
  }

  call(call: SettledCall): void {
    const provider = call.provider ?? 'none';
    const model = this.modelLabel(call.model);
    this.calls.inc({ endpoint: call.endpoint, provider, model, outcome: call.outcome });
    this.callSeconds.observe({ provider }, call.seconds);
    if (call.firstByteSeconds !== null) {
      this.firstByteSeconds.observe({ provider }, call.firstByteSeconds);
    }
    if (call.inputTokens > 0) {
      this.tokens.inc({ provider, model, direction: 'input' }, call.inputTokens);
    }
    if (call.outputTokens > 0) {
      this.tokens.inc({ provider, model, direction: 'output' }, call.outputTokens);
    }
    if (call.costUsd > 0) this.cost.inc({ provider, model }, call.costUsd);
    for (const { provider: asked, status, cancelled } of call.attempts) {
      this.attempts.inc({ provider: asked, status: cancelled ? 'cancelled' : classOf(status) });
    }
  }

  /**
   * Adds a gauge that reads its value at every scrape.
   *
   * @param label the one that tells the numbers of a map apart.
   * @param together what several processes show: the sum, or the largest.
   */
  gauge(
    name: string,
    help: string,
    read: () => Reading,
    { label, together = 'sum' }: { label?: string; together?: 'sum' | 'max' } = {},
  ): void {
    new Gauge<string>({
      name: `causeway_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.registry],
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

  /** Fault drills have their time or status in their names, which callers choose. */
  private modelLabel(id: string | null): string {
    if (id === null) return 'none';
    if (/^sandbox\/(slow|error)-/.test(id)) return 'sandbox/drill';
    if (!this.models.has(id) && this.models.size >= MOST_MODELS) return 'other';
    this.models.add(id);
    return id;
  }

  private counter(name: string, help: string, labelNames: readonly string[]): Counter {
    return new Counter({ name: `causeway_${name}`, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: readonly string[]): Histogram {
    const registers = [this.registry];
    return new Histogram({
      name: `causeway_${name}`,
      help,
      labelNames,
      registers,
      buckets: SECONDS,
    });
  }
}

/** 404 is `4xx`. A provider's 429 is told apart, because it says something else. */
function classOf(status: number): string {
  if (status === 0) return 'none';
  return status === 429 ? '429' : `${Math.trunc(status / 100)}xx`;
}
