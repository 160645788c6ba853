import { Injectable } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { type Attempt } from '../contract/usage-record.js';
import { type Target } from '../providers/provider.js';
import { type Verdict } from '../upstream/breaker.js';
import { Health, verdictOf } from '../upstream/health.service.js';
import { type Call } from './call.js';
import { OUTRUN, type Work } from './hedge.js';

/** Makes single tries of a model, each noted in its call and told to the model's breaker. */
@Injectable()
export class Attempts {
  constructor(private readonly health: Health) {}

  /**
   * Makes one try. While it runs, or when it was cut unanswered, its target is among the call's
   * `running`: the provider may charge for that, unless it refused.
   *
   * @param hasAnother whether another deployment can serve: then one that could not be reached says
   * nothing of the model.
   * @throws GatewayError 503 while the model fails too often, and what `work` throws.
   */
  async make<T>(call: Call, target: Target, work: Work<T>, hasAnother = never): Promise<T> {
    const { context, cut, running } = call;
    call.ends.throwIfAborted();
    if (context.caller.keyType !== 'sandbox') this.health.admit(target);
    running.push(target);
    const note = this.noting(call, target);
    // In the moment in which it is cut: the answer of the other one is settled before this one ends.
    const lose = (): void => {
      if (cut?.reason === OUTRUN) note({ status: 0, cancelled: true }, 'neither');
    };
    cut?.addEventListener('abort', lose, { once: true });
    try {
      const result = await work(call);
      leave(running, target);
      note({ status: 200 }, 'works');
      return result;
    } catch (error) {
      const { status = 0, unsent } =
        (error instanceof GatewayError && error.details.upstream) || {};
      const isLeft = context.signal.aborted;
      const isUnread = isLeft || cut?.reason === OUTRUN;
      if (!isUnread || status >= 400) leave(running, target);
      const isSpared = unsent === true && hasAnother();
      note({ status: failedStatus(error, status) }, verdictOf(error, isLeft || isSpared));
      throw error;
    } finally {
      cut?.removeEventListener('abort', lose);
    }
  }

  /** The means to note how a try that begins now has ended; only the first word counts. */
  private noting({ attempts, context }: Call, target: Target) {
    const { id: model, provider } = target.model;
    const startedAt = performance.now();
    let isNoted = false;
    return (ending: Pick<Attempt, 'status' | 'cancelled'>, verdict: Verdict): void => {
      if (isNoted) return;
      isNoted = true;
      const ms = Math.round(performance.now() - startedAt);
      attempts.push({ model, provider, ms, ...ending });
      if (context.caller.keyType !== 'sandbox') this.health.report(target, verdict, startedAt);
    };
  }
}

const never = (): boolean => false;

/** What came with 200 and was no answer has failed all the same. */
function failedStatus(error: unknown, status: number): number {
  return status === 200 && error instanceof GatewayError ? error.status : status;
}

function leave(running: Target[], target: Target): void {
  running.splice(running.indexOf(target), 1);
}
