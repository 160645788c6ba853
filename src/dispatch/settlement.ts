import { Injectable, Logger } from '@nestjs/common';
import { TokenLimits } from '../accounts/token-limits.service.js';
import { Allowance } from '../billing/allowance.service.js';
import { type Charged, Charges } from '../billing/charges.service.js';
import { type EarlierHolds, type Hold, Holds } from '../billing/holds.service.js';
import { worstCase } from '../billing/worst-case.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Units, usdDecimal } from '../contract/money.js';
import { type Attempt, LEFT_STATUS, type Outcome } from '../contract/usage-record.js';
import { type Bill, type Target } from '../providers/provider.js';
import { pricedAs } from '../providers/serves.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { type Call, isPlayed, madeAttempts, stopOf } from './call.js';
import { factsOf } from './call-facts.js';
import {
  type Ending,
  FREE,
  leftBy,
  outrunBy,
  type Paid,
  paidFor,
  together,
  tokensOf,
} from './paid.js';

/** Holds what a call may cost, prices it, and writes its record. */
@Injectable()
export class Settlement {
  private readonly logger = new Logger(Settlement.name);

  constructor(
    private readonly holds: Holds,
    private readonly charges: Charges,
    private readonly tokenLimits: TokenLimits,
    private readonly metrics: Metrics,
    private readonly allowance: Allowance,
  ) {}

  /**
   * Sets aside the most that a try may cost, in place of what the one before it has held.
   *
   * @throws GatewayError 402 when there is not that much, 503 while the database is away.
   */
  async hold(call: Call, target: Target): Promise<void> {
    const earlier = [...call.holds];
    const hold = await this.held(call, target, { instead: earlier });
    // Until then they are the call's, whatever has become of them.
    call.holds.splice(0);
    if (hold) call.holds.push(hold);
    else await Promise.all(this.released(call, earlier));
  }

  /** Sets as much aside for a second try that runs beside the first one. @throws as `hold`. */
  async holdMore(call: Call, target: Target): Promise<void> {
    const hold = await this.held(call, target, { beside: call.holds[0] });
    if (hold) call.holds.push(hold);
  }

  /**
   * Tells of models whether what is left, with what the call holds, covers a try of them; of all of
   * them where nobody knows what is left. A hold has the last word.
   */
  async coverage(call: Call): Promise<(target: Target) => boolean> {
    if (!isBounded(call)) return () => true;
    const left = await this.allowance.of(call.context.caller).catch(() => undefined);
    if (left === undefined) return () => true;
    const most = call.holds.reduce((sum, { amount }) => sum + amount, left);
    return (target) => mostFor(call, target) <= most;
  }

  private async held(call: Call, target: Target, earlier: EarlierHolds): Promise<Hold | undefined> {
    if (!isBounded(call)) return undefined;
    const { caller } = call.context;
    const { id: model, provider } = target.model;
    const facts = { ...factsOf(call), model, provider };
    return this.holds.hold(caller, facts, mostFor(call, target), earlier);
  }

  /**
   * Returns when the record is durable.
   *
   * @throws GatewayError 503 when it cannot be written.
   */
  async settle(call: Call, target: Target, ending: Ending): Promise<Bill> {
    const answered = paidFor(call, target, ending);
    const { usage } = answered;
    const outrun = call.running.map((other) => outrunBy(answered, call, other));
    const paid = together([answered, ...outrun]);
    await this.record(call, ending, paid);
    return { cost: usdDecimal(paid.cost), provider: target.model.provider, usage };
  }

  /**
   * Writes the record of a call that was never answered, and so costs nothing; unless the caller
   * left while a provider was at work, which is paid for what it was sent.
   */
  async settleFailure(call: Call, status: number, error: unknown): Promise<void> {
    const outcome = outcomeOf(call);
    if (outcome === 'client_closed') {
      const [first = FREE, ...others] = call.running.map(({ target }) => leftBy(call, target));
      await this.settleLeft(call, together([first, ...others]));
    } else await this.record(call, { outcome, status, firstByteMs: null, error }, FREE);
  }

  /** Writes the record of a call whose caller has left before it was answered. */
  async settleLeft(call: Call, paid: Paid = FREE): Promise<void> {
    await this.record(
      call,
      { outcome: 'client_closed', status: LEFT_STATUS, firstByteMs: null },
      paid,
    );
  }

  private async record(call: Call, ending: Told, { usage, cost, isEstimate }: Paid): Promise<void> {
    const { context, path } = call;
    const { firstByteMs } = ending;
    const end = endFor(call, ending);
    const durationMs = performance.now() - context.receivedAt;
    const [inputTokens, outputTokens] = tokensOf(usage);
    // Before the caller sees the end, so that the key's next request is judged with them.
    this.tokenLimits.report(context.caller, inputTokens + outputTokens);
    this.log(call, end, { inputTokens, outputTokens, cost: usdDecimal(cost) });
    this.metrics.call({
      ...end,
      endpoint: path,
      seconds: durationMs / 1_000,
      firstByteSeconds: firstByteMs === null ? null : firstByteMs / 1_000,
      inputTokens,
      outputTokens,
      costUsd: Number(usdDecimal(cost)),
    });
    const [hold, ...others] = call.holds;
    // In this order and at once, so that what the others held is there for what this one costs more.
    const released = this.released(call, others);
    const settled = this.charges.settle(chargedFor(call, hold), {
      ...factsOf(call),
      ...end,
      accountId: context.caller.accountId,
      keyId: context.caller.keyId,
      usage,
      cost,
      estimated: isEstimate,
      durationMs: Math.round(durationMs),
      firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    });
    try {
      await Promise.all([...released, settled]);
      call.state.isSettled = true;
    } catch (error) {
      // It is booked all the same, only later.
      call.state.isSettled = error instanceof GatewayError;
      throw error;
    }
  }

  private log(
    { context, causes }: Call,
    { outcome, model, provider, attempts }: ReturnType<typeof endFor>,
    counted: Readonly<Record<string, unknown>>,
  ): void {
    const failed = attempts
      .filter(({ status, cancelled }) => status !== 200 && !cancelled)
      .map((attempt) => ({ ...attempt, cause: causes.get(attempt) }));
    const told = {
      outcome,
      model,
      provider,
      ...counted,
      attempts: attempts.length,
      ...(failed.length > 0 && { failed }),
    };
    Object.assign(context.log, told);
    // The line of the request was written when its caller hung up.
    if (outcome === 'client_closed') {
      this.logger.log({ requestId: context.id, ...told, msg: 'settled after the caller left' });
    }
  }

  private released(call: Call, holds: readonly Hold[]): readonly Promise<void>[] {
    return holds.map((hold) => this.charges.release(chargedFor(call, hold)));
  }
}

interface Told extends Pick<Ending, 'outcome' | 'status' | 'firstByteMs'> {
  /** What the caller is told has failed. */
  readonly error?: unknown;
}

const NO_ATTEMPT = { model: null, provider: null } as const;

function chargedFor({ id, context: { caller, id: requestId } }: Call, hold?: Hold): Charged {
  return { id: hold?.id ?? id, caller, requestId, hold };
}

/** The most that a try of the model may cost. */
function mostFor({ path, format, body, requests }: Call, target: Target): Units {
  const { model, helper = null } = target;
  const value = pricedAs(target, format, body.value);
  return worstCase(model, { path, body: { ...body, value }, helper, requests });
}

/** Whether its caller can run out of money. */
function isBounded(call: Call): boolean {
  const { caller } = call.context;
  return !isPlayed(call) && (caller.limited || caller.spendLimit !== null);
}

function outcomeOf(call: Call): Outcome {
  if (call.context.signal.aborted) return 'client_closed';
  return madeAttempts(call).length > 0 ? 'error' : 'rejected';
}

/**
 * How a call ended for its caller. One that a stop of the gateway has cut is paid as if its caller had
 * left, who got an error instead; and its provider has not failed.
 */
function endFor(call: Call, { outcome, status, error }: Told) {
  const attempts = madeAttempts(call);
  // A model that rests is passed over at a later place, and what it said at its own is told.
  const isTold = ({ model: id }: Attempt): boolean =>
    error !== undefined && call.resting.get(id)?.error === error;
  const { model, provider } = attempts.findLast(isTold) ?? attempts.at(-1) ?? NO_ATTEMPT;
  const stop = stopOf(call);
  if (outcome !== 'client_closed' || !stop) return { outcome, status, attempts, model, provider };
  return {
    outcome: attempts.length > 0 ? ('error' as const) : ('rejected' as const),
    status: status === LEFT_STATUS ? stop.status : status,
    attempts: attempts.map((one, at) => (at < attempts.length - 1 ? one : cutByStop(one))),
    model,
    provider,
  };
}

/** One that had begun well; what had not answered was noted as cut, and what had failed has failed. */
function cutByStop(attempt: Attempt): Attempt {
  return attempt.status === 200 ? { ...attempt, cancelled: true } : attempt;
}
