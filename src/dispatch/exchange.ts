import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment } from '../providers/deployment.js';
import { type Target, type UpstreamCall } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { Deployments } from '../upstream/deployments.js';
import { frames } from '../upstream/frames.js';
import { Health, verdictOf } from '../upstream/health.service.js';
import { readReply } from '../upstream/read-reply.js';
import { Retries } from '../upstream/retries.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { type Call } from './call.js';
import { Drains } from './drains.js';
import { forwardedHeaders } from './headers.js';
import { type Batches } from './server-events.js';
import { Settlement } from './settlement.js';
import { brokenAnswer, failureInside, failureOf } from './upstream-failure.js';

const STOPPING_MS = 5_000;

/** Sends calls for a request, covered by a hold, and keeps the list of its tries. */
@Injectable()
export class Exchange {
  private readonly retries = new Retries();
  private readonly deployments = new Deployments();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly settlement: Settlement,
    private readonly drains: Drains,
    private readonly health: Health,
  ) {}

  /**
   * Sends one call and waits for the head of a good answer.
   *
   * @throws GatewayError for every other answer, and what the upstream client throws.
   */
  async open(
    call: Call,
    target: Target,
    upstreamCall: UpstreamCall,
    signal = call.context.signal,
  ): Promise<IncomingAnswer> {
    const { connection } = target;
    const { provider } = connection;
    const outlives = provider.onDisconnect === 'drain' && signal === call.context.signal;
    const drain = outlives ? this.drains.for(signal) : undefined;
    const options = {
      signal: drain?.signal ?? signal,
      stream: upstreamCall.framing !== 'none',
      sandboxed: call.context.caller.keyType === 'sandbox',
      headers: forwardedHeaders(call, target),
    };
    const deployment = call.deployment ?? this.deployments.choose(connection);
    try {
      const send = (via: typeof connection) => this.upstream.send(via, upstreamCall, options);
      const through = this.deployments.through(deployment, connection, send, options.signal);
      const { body, ...head } = await through;
      const answer = { ...head, body: drain?.reading(body) ?? body };
      if (answer.status >= 200 && answer.status < 300) return answer;
      const reply = await readReply(answer);
      throw failureOf(provider.name, reply, provider.decodeError(reply));
    } catch (error) {
      this.deployments.report(deployment, error);
      drain?.end();
      throw error;
    }
  }

  /** Asks the provider to stop what it began; whether it does is nobody's concern any more. */
  async stop(call: Call, target: Target, upstreamCall: UpstreamCall): Promise<void> {
    try {
      await readReply(
        await this.open(call, target, upstreamCall, AbortSignal.timeout(STOPPING_MS)),
      );
    } catch {
      // The caller has gone, and so has every use of the answer.
    }
  }

  /** `performance.now()` at which a call that begins now runs out of time. */
  deadline(): number {
    return performance.now() + this.upstream.totalMs;
  }

  /**
   * Sends one call whose answer is a stream of events.
   *
   * @throws GatewayError also for a whole JSON body, which is an error dressed as success.
   */
  async openStream(call: Call, target: Target, upstreamCall: UpstreamCall): Promise<Batches> {
    const answer = await this.open(call, target, upstreamCall);
    if (!answer.headers['content-type']?.startsWith('application/json')) {
      return frames(upstreamCall.framing, answer.body);
    }
    const { provider } = target.connection;
    const error = provider.decodeError(await readReply(answer));
    throw error ? failureInside(provider.name, error) : brokenAnswer(provider.name);
  }

  /**
   * Makes `work`'s try of a model, and again where the provider says that nothing was done and
   * another of its deployments is free or no other model follows; notes each with how it ended and
   * how long it took. Before it begins, the most that it may cost is set aside; a try that failed has
   * cost nothing.
   *
   * @throws GatewayError 402 when there is not that much, 503 while the model fails too often, and
   * what the last try threw.
   */
  async tried<T>(call: Call, target: Target, work: () => Promise<T>): Promise<T> {
    const { provider } = target.model;
    await this.settlement.hold(call, target);
    this.retries.begin(provider);
    const tried = new Set<Deployment>();
    for (let retries = 0; ; retries++) {
      call.deployment = this.deployments.choose(target.connection, tried);
      try {
        return await this.once(call, target, work);
      } catch (error) {
        const { signal } = call.context;
        if (signal.aborted) throw error;
        if (call.deployment) tried.add(call.deployment);
        const hasAnother = this.deployments.hasAnother(target.connection, tried);
        const prospects = { hasAnother, movesOn: call.movesOn };
        const waitMs = this.retries.waitBefore(error, retries, provider, prospects);
        if (waitMs === undefined) throw error;
        await delay(waitMs, undefined, { signal });
      }
    }
  }

  private async once<T>(call: Call, target: Target, work: () => Promise<T>): Promise<T> {
    const { signal, caller } = call.context;
    const { model } = target;
    const isPlayed = caller.keyType === 'sandbox';
    signal.throwIfAborted();
    if (!isPlayed) this.health.admit(target);
    call.running = target;
    const startedAt = performance.now();
    const note = (status: number, error?: unknown): void => {
      const ms = Math.round(performance.now() - startedAt);
      call.attempts.push({ model: model.id, provider: model.provider, status, ms });
      if (isPlayed) return;
      this.health.report(target, error === undefined ? 'works' : verdictOf(error, signal.aborted));
    };
    try {
      const result = await work();
      note(200);
      return result;
    } catch (error) {
      const status = error instanceof GatewayError ? (error.details.upstream?.status ?? 0) : 0;
      // The provider may go on with what nobody waits for, and charge for it, unless it refused.
      if (!signal.aborted || status >= 400) call.running = undefined;
      note(status, error ?? new Error('unknown'));
      throw error;
    }
  }
}
