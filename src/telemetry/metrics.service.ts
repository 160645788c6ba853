import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { CallMetrics, type SettledCall } from './call-metrics.js';
import { type GaugeOptions, Instruments, type Reading, statusClass } from './instruments.js';

/** A request as its answer ended. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of its route; undefined when it met none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

const SHED_REASONS = ['memory', 'load', 'connections'] as const;

/** What is counted and timed. No label holds anything that a caller wrote. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly instruments = new Instruments(this.registry);

  private readonly requests = this.instruments.counter(
    'http_requests_total',
    'Requests that were answered.',
    ['method', 'route', 'status'],
  );
  private readonly requestSeconds = this.instruments.timer(
    'http_request_duration_seconds',
    'From a request to the end of its answer.',
    ['route'],
  );
  private readonly calls = new CallMetrics(this.instruments);
  private readonly limited = this.instruments.counter(
    'rate_limited_total',
    'Requests that the limits refused.',
  );
  private readonly unfunded = this.instruments.counter(
    'credit_refusals_total',
    'Calls that credits or a spend limit refused.',
  );
  private readonly shedRequests = this.instruments.counter(
    'shed_requests_total',
    'Requests that were refused for want of memory or connections, or under load.',
    ['reason'],
  );

  constructor() {
    // A counter that appears with its first count shows no growth: an alert would miss what comes but once.
    for (const reason of SHED_REASONS) this.shedRequests.inc({ reason }, 0);
  }

  request({ method, route = 'none', status, seconds }: AnsweredRequest): void {
    this.requests.inc({ method, route, status: statusClass(status) });
    this.requestSeconds.observe({ route }, seconds);
  }

  /** A request that was refused before any provider was asked. */
  refused(status: number): void {
    if (status === 429) this.limited.inc();
    if (status === 402) this.unfunded.inc();
  }

  /** A request that the gateway itself had no room for. */
  shed(reason: (typeof SHED_REASONS)[number]): void {
    this.shedRequests.inc({ reason });
  }

  call(call: SettledCall): void {
    this.calls.add(call);
  }

  /** Adds a gauge that reads its value at every scrape. */
  gauge(name: string, help: string, read: () => Reading, options?: GaugeOptions): void {
    this.instruments.gauge(name, help, read, options);
  }
}
