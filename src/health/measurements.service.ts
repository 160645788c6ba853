import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Outbox } from '../billing/outbox.service.js';
import { Database } from '../database/database.service.js';
import { RunningRequests } from '../http/running-requests.js';
import { Redis } from '../redis/redis.service.js';
import { Metrics } from '../telemetry/metrics.service.js';

const RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** What this process says of itself in numbers. */
@Injectable()
export class Measurements implements OnModuleInit, OnApplicationShutdown {
  private readonly loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor(
    private readonly metrics: Metrics,
    private readonly requests: RunningRequests,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly redis: Redis,
  ) {}

  onModuleInit(): void {
    this.loop.enable();
    const { metrics } = this;
    metrics.gauge(
      'http_requests_in_flight',
      'Requests that are being answered.',
      () => this.requests.count,
    );
    metrics.gauge(
      'http_connections',
      'Connections of callers, also those without a request.',
      () => this.requests.connections,
    );
    metrics.gauge(
      'event_loop_lag_seconds',
      'How late the event loop runs: the 99th percentile since the last scrape.',
      () => this.lag(),
      { together: 'max' },
    );
    metrics.gauge(
      'memory_bytes',
      'Memory of the process.',
      () => {
        const { rss, heapUsed, external } = process.memoryUsage();
        return new Map(Object.entries({ rss, heap_used: heapUsed, external }));
      },
      { label: 'kind' },
    );
    metrics.gauge(
      'database_connections',
      'Connections to PostgreSQL, and work that waits for one.',
      () => new Map(Object.entries(this.database.connections)),
      { label: 'state' },
    );
    metrics.gauge(
      'outbox_settlements',
      'Settlements that wait on the disk for the database.',
      () => this.outbox.size,
    );
    metrics.gauge(
      'redis_away',
      '1 while Redis does not answer and each process counts limits alone.',
      () => Number(this.redis.state === 'away'),
      { together: 'max' },
    );
  }

  onApplicationShutdown(): void {
    this.loop.disable();
  }

  private lag(): number {
    // The histogram counts the whole interval between two looks.
    const lag = Math.max(0, this.loop.percentile(99) / NANOSECONDS - RESOLUTION_MS / 1_000);
    this.loop.reset();
    return lag;
  }
}
