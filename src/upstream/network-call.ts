import { type Dispatcher } from 'undici';
import { type Timeouts } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type IncomingAnswer, type OutgoingLimits } from '../providers/transport.js';
import { AnswerBody } from './answer-body.js';
import { TimeLimit } from './time-limit.js';
import { tooLate } from './too-late.js';

/**
 * One request on the network, from the wait for a connection to the end of its answer. Cut while it
 * waits, it is over at once, and is never sent on the connection that it gets later.
 */
export class NetworkCall implements Dispatcher.DispatchHandler {
  private readonly head = Promise.withResolvers<IncomingAnswer>();
  private readonly signal: AbortSignal;
  private readonly total: TimeLimit | undefined;
  /** Runs until there is a connection, and from when the request is sent until the answer begins. */
  private waiting: TimeLimit | undefined;
  /** Undefined until the request is sent. */
  private controller: Dispatcher.DispatchController | undefined;
  private body: AnswerBody | undefined;
  private isTold = false;
  private isOver = false;

  constructor(
    private readonly limits: OutgoingLimits,
    private readonly timeouts: Timeouts,
  ) {
    this.signal = limits.signal;
    this.signal.addEventListener('abort', this.cut, { once: true });
    if (!limits.stream) this.total = this.within(timeouts.totalMs);
    this.waiting = this.within(timeouts.connectMs, 'no connection in time');
  }

  /** @throws GatewayError 502 or 504 as the call fails, or the signal's reason when it is aborted. */
  get answer(): Promise<IncomingAnswer> {
    return this.head.promise;
  }

  fail(error: unknown): void {
    if (this.isOver) return;
    this.settle();
    const { signal } = this;
    const reason: unknown = signal.aborted
      ? signal.reason
      : failureOf(error, this.controller ? {} : { unsent: true });
    if (this.body) this.body.fail(reason);
    else this.head.reject(reason instanceof Error ? reason : new Error(String(reason)));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) {
      controller.abort(new Error('nobody waits for it'));
      return;
    }
    this.controller = controller;
    this.stopWaiting();
    this.waiting = this.within(this.timeouts.firstByteMs);
  }

  /** A long request takes its time. */
  onBodySent(): void {
    this.waiting?.beginAnew();
  }

  onRequestSent(): void {
    this.tellSent();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // That it works on, a provider may say for ever.
    if (status < 200) return;
    this.stopWaiting();
    // Some answer before they have read everything.
    this.tellSent();
    this.body = new AnswerBody(controller, this.silence(controller));
    this.head.resolve({ status, headers: flatten(headers), body: this.body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body?.push(chunk);
  }

  onResponseEnd(): void {
    this.settle();
    this.body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private readonly cut = (): void => {
    const { reason } = this.signal as { reason: unknown };
    this.stop(reason instanceof Error ? reason : new Error('aborted'));
  };

  private tellSent(): void {
    if (this.isTold) return;
    this.isTold = true;
    this.limits.sent?.();
  }

  private within(ms: number, message = 'no answer in time'): TimeLimit {
    return new TimeLimit(ms, () => {
      this.stop(new TimeIsOver(message));
    });
  }

  /** Undici's own would run out up to half a second too early. */
  private silence(controller: Dispatcher.DispatchController): TimeLimit {
    return new TimeLimit(this.timeouts.idleMs, () => {
      if (!controller.paused) this.stop(new TimeIsOver('the answer stopped before its end'));
    });
  }

  private stop(error: Error): void {
    if (this.controller) this.controller.abort(error);
    else this.fail(error);
  }

  private stopWaiting(): void {
    this.waiting?.end();
    this.waiting = undefined;
  }

  private settle(): void {
    this.isOver = true;
    this.stopWaiting();
    this.total?.end();
    this.signal.removeEventListener('abort', this.cut);
  }
}

class TimeIsOver extends Error {}

function failureOf(error: unknown, sent: { unsent?: true }): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  const details = { cause: error, upstream: { status: 0, ...sent } };
  if (error instanceof TimeIsOver || code === 'UND_ERR_CONNECT_TIMEOUT') return tooLate(details);
  const message = 'The connection to the provider failed.';
  return new GatewayError(502, 'upstream_error', message, details);
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
