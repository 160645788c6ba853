import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type ServerResponse as Response } from 'node:http';
import { type ArrivedRequest } from '../http/gateway-request.js';
import { RunningRequests } from '../http/running-requests.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { CallGate, LONGEST_WAIT_MS, type Opening } from './call-gate.js';
import { CallLimit, LOOK_MS } from './call-limit.js';
import { EventLoop } from './event-loop.js';
import { FloodWatch } from './flood-watch.js';
import { RefusalDelay } from './refusal-delay.js';
import { RoundRobin } from './round-robin.js';

const LOOKS_PER_PERIOD = 20;

/** The calls that run, by account, and how many there may be. */
@Injectable()
export class Load implements OnModuleInit, OnApplicationShutdown {
  private readonly loop = new EventLoop();
  private readonly limit = new CallLimit();
  private readonly gate = new CallGate();
  private readonly refusalDelay = new RefusalDelay();
  private readonly floodWatch = new FloodWatch();
  private looks = 0;
  /** Whether a call was refused or had to wait since the last look. */
  private pressed = false;
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly requests: RunningRequests,
    private readonly roundRobin: RoundRobin,
  ) {}

  /** For how long who was just refused is kept waiting. */
  get refusalDelayMs(): number {
    return this.refusalDelay.ms;
  }

  /**
   * Decides when an account's call may begin. Where that is not now, the limit does not end yet. Where
   * it is `never`, the call counts as shed already: it is for the one who asks to refuse it.
   */
  decide(account: string): Opening {
    const opening = this.gate.opening(account);
    if (opening !== 'now') this.pressed = true;
    if (opening === 'never') this.shed(account);
    return opening;
  }

  /** An account asked for a call and was refused it, by a limit of its own or for the load. */
  asked(account: string): void {
    this.floodWatch.add(account);
  }

  /** A call that has begun, and so has been counted, is refused for the load all the same. */
  shedBegun(): void {
    this.metrics.shed('load');
  }

  /** Begins a call, which ends with its response. */
  begin(account: string, response: Response): void {
    this.floodWatch.add(account);
    const end = this.gate.begin(account);
    response.once('close', () => {
      end((response.req as ArrivedRequest).log.shed === undefined ? 'served' : 'shed');
    });
  }

  /**
   * Begins a call as soon as it may, unless its caller leaves before.
   *
   * @returns whether it has begun; false as well when that took too long.
   */
  beginLater(account: string, response: Response): Promise<boolean> {
    return new Promise((resolve) => {
      const left = (): void => {
        leave();
        resolve(false);
      };
      const leave = this.gate.wait(account, (mayBegin) => {
        response.off('close', left);
        if (mayBegin) this.begin(account, response);
        else this.shed(account);
        resolve(mayBegin);
      });
      response.once('close', left);
    });
  }

  onModuleInit(): void {
    this.metrics.gauge(
      'load_limit_calls',
      'Calls that may run at once in a process while its event loop is late; 0: no limit.',
      () => (this.limit.most < Infinity ? Math.floor(this.limit.most) : 0),
      { together: 'max' },
    );
    this.metrics.gauge(
      'waiting_calls',
      'Calls that wait for others to end.',
      () => this.gate.waiting,
    );
    this.loop.start();
    this.looking = setInterval(() => {
      this.look();
    }, LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
    this.loop.stop();
  }

  private shed(account: string): void {
    this.asked(account);
    this.metrics.shed('load');
  }

  private look(): void {
    const { forMs, lateMs, busy } = this.loop.look();
    const { pressed } = this;
    const { connections } = this.requests;
    const flooding = this.floodWatch.flood();
    const flooded = flooding !== undefined;
    const late = Math.max(lateMs, this.roundRobin.waitMs);
    const calls = this.gate.look(forMs);
    this.limit.see({ ...calls, lateMs: late, busy, flooded, connections, pressed });
    if (++this.looks % LOOKS_PER_PERIOD === 0) this.floodWatch.beginPeriod();
    const isLimited = flooded || this.limit.most < Infinity;
    this.refusalDelay.see({ isLimited, busy, lateMs: late });
    this.pressed = false;
    this.gate.limitTo(this.limit.most, flooding);
    const beyond = calls.current - this.limit.most;
    if (this.limit.isClearing) this.roundRobin.sendAway(LONGEST_WAIT_MS, beyond);
  }
}
