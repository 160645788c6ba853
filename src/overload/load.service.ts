import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Metrics } from '../telemetry/metrics.service.js';
import { CallLimit, LOOK_MS } from './call-limit.js';
import { Shares } from './shares.js';
import { Turns } from './turns.js';

const RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;

/** The calls that run, by account, and how many there may be. */
@Injectable()
export class Load implements OnModuleInit, OnApplicationShutdown {
  private readonly loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly limit = new CallLimit();
  private readonly running = new Shares();
  /** The most that ran at once since the last look. */
  private peak = 0;
  private connections = 0;
  private refused = false;
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly adapter: HttpAdapterHost,
    private readonly turns: Turns,
  ) {}

  /** Whether calls are refused because there are too many. */
  get isHigh(): boolean {
    return this.limit.most < Infinity;
  }

  /**
   * Whether an account may begin a call: while fewer run than may, and beyond that if it has less
   * than an equal part of them.
   */
  admits(account: string): boolean {
    const { most } = this.limit;
    if (this.running.total < most || !this.running.isBeyond(account, 1, most)) return true;
    this.refused = true;
    this.metrics.shed('load');
    return false;
  }

  begin(account: string): void {
    this.running.add(account, 1);
    this.peak = Math.max(this.peak, this.running.total);
  }

  end(account: string): void {
    this.running.add(account, -1);
  }

  onModuleInit(): void {
    this.metrics.gauge(
      'load_limit_calls',
      'Calls that may run at once while the event loop is late; 0: no limit.',
      () => (this.isHigh ? Math.floor(this.limit.most) : 0),
    );
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      socket.once('close', () => (this.connections -= 1));
    });
    this.loop.enable();
    this.looking = setInterval(() => {
      this.look();
    }, LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
    this.loop.disable();
  }

  private look(): void {
    // The histogram counts the whole interval between two turns; without one there was no turn.
    const { count, mean } = this.loop;
    const loopMs = count === 0 ? LOOK_MS : Math.max(0, mean / NANOSECONDS_PER_MS - RESOLUTION_MS);
    const lateMs = Math.max(loopMs, this.turns.waitMs);
    this.loop.reset();
    const { peak: running, connections, refused } = this;
    this.limit.see({ lateMs, running, connections, refused });
    this.peak = this.running.total;
    this.refused = false;
  }
}
