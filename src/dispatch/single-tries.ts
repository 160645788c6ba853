import { Injectable } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { reasonOf } from '../contract/reason-of.js';
import { type Attempt } from '../contract/usage-record.js';
import { type Target } from '../providers/provider.js';
import { Deployments } from '../upstream/deployments.js';
import { Health, unwatched } from '../upstream/health.service.js';
import { type Permit } from '../upstream/permit.js';
import { restOf } from '../upstream/rest-of.js';
import { type Judge, type Verdict, verdictOf } from '../upstream/verdict.js';
import { isPlayed, purposeOf, type Call, type RunningTry, stopOf } from './call.js';
import { IN_VAIN, isCut, OUTRUN, type Work } from './hedge.js';

/** Makes single tries of a model, each noted in its call and told to the model's breaker. */
@Injectable()
export class SingleTries {
  constructor(
    private readonly health: Health,
    private readonly deployments: Deployments,
  ) {}

  /**
   * Makes one try. From when it is sent, while it runs or when it was cut unanswered, its target is
   * among the call's `running`: the provider may charge for that, unless it refused.
   *
   * @param hasAnother whether another deployment can serve: then one that could not be reached says
   * nothing of the model.
   * @throws GatewayError 503 while the model fails too often, and what `work` throws.
   */
  async make<T>(call: Call, target: Target, work: Work<T>, hasAnother = never): Promise<T> {
    const { context, cut } = call;
    call.ends.throwIfAborted();
    const permit = this.admitted(call, target);
    const presence = presenceOf(call, target);
    const note = noting(call, target);
    const begunAt = performance.now();
    // In the moment in which it is cut: the answer of the other one is settled before this one ends.
    const lose = (): void => {
      if (cut?.reason !== OUTRUN && cut?.reason !== IN_VAIN) return;
      note({ status: 0, cancelled: true });
      permit.end('neither');
    };
    cut?.addEventListener('abort', lose, { once: true });
    // A provider that is drained may go on for long: as a probe it would keep all others waiting.
    const leave = (): void => {
      permit.end('neither');
    };
    context.signal.addEventListener('abort', leave, { once: true });
    try {
      const result = await work({ ...call, permit, sent: presence.begin });
      presence.end();
      note({ status: 200 });
      // A stream has said that it began, and tells its end itself.
      if (!permit.hasAnswered) permit.end('works');
      return result;
    } catch (error) {
      const wasCut = isCut(call, error);
      if (!wasCut) presence.end();
      note(
        { status: failedStatus(error), ...(wasCut && stopOf(call) && { cancelled: true }) },
        error,
      );
      const isSpared = isUnsent(error) && hasAnother();
      const isNoWord = context.signal.aborted || isSpared || hadNoTime(call, begunAt);
      permit.end(isNoWord ? 'neither' : verdictOf(error), this.restMs(call, target, error));
      throw error;
    } finally {
      cut?.removeEventListener('abort', lose);
      context.signal.removeEventListener('abort', leave);
    }
  }

  /** @throws GatewayError 503, noted, while no call to the model is let through: nothing need be held. */
  refuseWhileOpen(call: Call, target: Target): void {
    if (isPlayed(call)) return;
    noted(call, target, () => {
      this.health.refuseWhileOpen(target);
    });
  }

  /** @throws GatewayError 503 until a model works that failed too often: for what is no probe of it. */
  refuseUntilClosed(call: Call, target: Target): void {
    if (!isPlayed(call)) this.health.refuseUntilClosed(target);
  }

  /**
   * For how long a provider asks not to be called, if only one of its deployments may be; undefined for none.
   */
  private restMs(call: Call, target: Target, error: unknown): number | undefined {
    const soonest = this.deployments.soonest(target.connection, error, purposeOf(call, target));
    return soonest instanceof GatewayError ? restOf(soonest) : undefined;
  }

  /** @throws GatewayError 503 while the model fails too often, which is noted as well. */
  private admitted(call: Call, target: Target): TryPermit {
    if (isPlayed(call)) return new TryPermit(unwatched());
    const { connection } = target;
    const { deployment } = call;
    const purpose = purposeOf(call, target);
    // It is kept for longer than the call, which may be large.
    const judge: Judge = {
      verdict: (said) => this.deployments.judge(deployment, said, connection, purpose),
      isServed: () => this.deployments.isServed(connection, purpose),
    };
    return new TryPermit(noted(call, target, () => this.health.admit(target, judge)));
  }
}

/** Does what a model's breaker may refuse, and notes if it does. */
function noted<T>({ attempts }: Call, { model: { id: model, provider } }: Target, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    attempts.push({ model, provider, status: 503, ms: 0, circuit: 'open' });
    throw error;
  }
}

/** By which one try tells what comes of it, once. */
class TryPermit implements Permit {
  hasAnswered = false;
  private isOver = false;

  constructor(private readonly permit: Permit) {}

  answered(): void {
    this.hasAnswered = true;
    this.permit.answered();
  }

  end(verdict: Verdict, restMs?: number): void {
    if (this.isOver) return;
    this.isOver = true;
    this.permit.end(verdict, restMs);
  }
}

/** The means to note how a try that begins now has ended; only the first word counts. */
function noting({ attempts, causes }: Call, { model: { id: model, provider } }: Target) {
  const startedAt = performance.now();
  let isNoted = false;
  return (ending: Pick<Attempt, 'status' | 'cancelled'>, error?: unknown): void => {
    if (isNoted) return;
    isNoted = true;
    const ms = Math.round(performance.now() - startedAt);
    const attempt = { model, provider, ms, ...ending };
    attempts.push(attempt);
    const { cause } = error instanceof GatewayError ? error.details : {};
    // What a provider has answered, and may repeat the request in, is not for the log.
    if (ending.status === 0 && cause instanceof Error) causes.set(attempt, reasonOf(cause));
  };
}

/** Whether the request's time ended, most of which had gone to the tries before. */
function hadNoTime({ ends, context }: Call, begunAt: number): boolean {
  return ends.aborted && begunAt - context.receivedAt > performance.now() - begunAt;
}

const never = (): boolean => false;

/** The provider's status, or 0; of what came with 200 and was no answer, the one that the caller is told. */
function failedStatus(error: unknown): number {
  if (!(error instanceof GatewayError)) return 0;
  const { status = 0 } = error.details.upstream ?? {};
  return status === 200 ? error.status : status;
}

function isUnsent(error: unknown): boolean {
  return error instanceof GatewayError && error.details.upstream?.unsent === true;
}

/** The means to have a target among those that run, once, and no more when its try is over. */
function presenceOf({ running }: Call, target: Target) {
  let own: RunningTry | undefined;
  let isOver = false;
  return {
    begin: (parts = 1): void => {
      if (isOver) return;
      if (own) own.sent += 1;
      else running.push((own = { target, parts, sent: 1 }));
    },
    end: (): void => {
      if (own && !isOver) running.splice(running.indexOf(own), 1);
      isOver = true;
    },
  };
}
