import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Server, type ServerResponse as Response } from 'node:http';
import { type Socket } from 'node:net';
import { Metrics } from '../telemetry/metrics.service.js';
import { CallLimit, LOOK_MS } from './call-limit.js';
import { EventLoop } from './event-loop.js';
import { RecentCalls } from './recent-calls.js';
import { RefusalDelay } from './refusal-delay.js';
import { Shares } from './shares.js';
import { Turns } from './turns.js';
import { WaitingLine } from './waiting-line.js';

const LOOKS_PER_PERIOD = 20;
/** Who would wait longer is refused. */
const MOST_WAIT_MS = 100;
/** When a call may begin. */
export type Admission = 'now' | 'later' | 'never';

/** The calls that run, by account, and how many there may be. */
@Injectable()
export class Load implements OnModuleInit, OnApplicationShutdown {
  private readonly loop = new EventLoop();
  private readonly limit = new CallLimit();
  private readonly running = new Shares();
  private readonly line = new WaitingLine();
  private readonly refusalDelay = new RefusalDelay();
  private readonly recent = new RecentCalls();
  private looks = 0;
  /** The most that ran at once since the last look. */
  private peak = 0;
  private connections = 0;
  private ended = 0;
  /** How many calls ended in a millisecond, up to the last look. */
  private pace = 0;
  /** The account that asks for most of the calls, while others call, too. */
  private flooding: string | undefined;
  /** Whether a call was refused or had to wait since the last look. */
  private pressed = false;
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly adapter: HttpAdapterHost,
    private readonly turns: Turns,
  ) {}

  /** For how long who was just refused is kept waiting. */
  get refusalDelayMs(): number {
    return this.refusalDelay.ms;
  }

  /**
   * Whether an account may begin a call: while fewer run than may, and beyond that if it has less
   * than an equal part of them or another one floods. Of a flood so many wait as can begin soon.
   */
  admission(account: string): Admission {
    const { most } = this.limit;
    const isFull = this.running.total >= most || this.line.length > 0;
    const anotherFloods = this.flooding !== undefined && this.flooding !== account;
    if (!isFull || anotherFloods || !this.running.isBeyond(account, 1, most)) return 'now';
    this.pressed = true;
    const isSoon = this.running.total - most + this.line.length < this.pace * MOST_WAIT_MS;
    if (this.flooding === account && isSoon) return 'later';
    this.recent.add(account);
    this.metrics.shed('load');
    return 'never';
  }

  /** An account asked for a call and was refused it by a limit of its own. */
  asked(account: string): void {
    this.recent.add(account);
  }

  /** Begins a call, which ends with its response. */
  begin(account: string, response: Response): void {
    this.running.add(account, 1);
    this.recent.add(account);
    this.peak = Math.max(this.peak, this.running.total);
    response.once('close', () => {
      this.running.add(account, -1);
      this.ended += 1;
      this.letIn();
    });
  }

  /** Begins a call when it is its turn, unless its caller leaves before. */
  beginLater(account: string, response: Response): Promise<void> {
    return new Promise((resolve) => {
      const left = (): void => {
        leave();
        resolve();
      };
      const leave = this.line.join(() => {
        response.off('close', left);
        this.begin(account, response);
        resolve();
      });
      response.once('close', left);
    });
  }

  onModuleInit(): void {
    this.metrics.gauge(
      'load_limit_calls',
      'Calls that may run at once while the event loop is late; 0: no limit.',
      () => (this.limit.most < Infinity ? Math.floor(this.limit.most) : 0),
    );
    this.metrics.gauge(
      'waiting_calls',
      'Calls that wait for others to end.',
      () => this.line.length,
    );
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      socket.once('close', () => (this.connections -= 1));
    });
    this.loop.start();
    this.looking = setInterval(() => {
      this.look();
    }, LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
    this.loop.stop();
  }

  private letIn(): void {
    while (this.line.length > 0 && this.running.total < this.limit.most) this.line.next();
  }

  private look(): void {
    const { lateMs, busy } = this.loop.look(LOOK_MS);
    const { peak: running, connections, pressed } = this;
    this.flooding = this.recent.flooding;
    const flooded = this.flooding !== undefined;
    const late = Math.max(lateMs, this.turns.waitMs);
    this.limit.see({ lateMs: late, busy, flooded, running, connections, pressed });
    if (++this.looks % LOOKS_PER_PERIOD === 0) this.recent.turn();
    this.peak = this.running.total;
    this.pace = this.ended / LOOK_MS;
    this.ended = 0;
    this.pressed = false;
    this.refusalDelay.see({ flooded, busy });
    this.letIn();
  }
}
