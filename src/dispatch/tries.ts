import { Injectable } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment } from '../providers/deployment.js';
import { type Target } from '../providers/provider.js';
import { Deployments } from '../upstream/deployments.js';
import { Health } from '../upstream/health.service.js';
import { KeyRefusals } from '../upstream/key-refusals.js';
import { isKeyRefused } from '../upstream/refused-key.js';
import { Retries } from '../upstream/retries.js';
import { isLacked } from '../upstream/spared-endpoints.js';
import { isPlayed, purposeOf, type Call } from './call.js';
import { hedgeAfterMs, hedged, type Side, type Sides, type Work } from './hedge.js';
import { pause } from './patience.js';
import { Settlement } from './settlement.js';
import { SingleTries } from './single-tries.js';

/** How far the tries of one model have come. */
interface Progress {
  /** The deployments that were tried. */
  readonly used: Set<Deployment>;
  /** The last failure that speaks of more than a key. */
  failure?: unknown;
  /** No call runs: the next one is waited for, as its provider may have asked. */
  isWaiting: boolean;
}

/** Tries models: covered by holds, over their deployments, again where that is safe, and hedged. */
@Injectable()
export class Tries {
  private readonly keyRefusals = new KeyRefusals();

  constructor(
    private readonly settlement: Settlement,
    private readonly deployments: Deployments,
    private readonly health: Health,
    private readonly single: SingleTries,
    private readonly retries: Retries,
  ) {}

  /**
   * Makes `work`'s try of a model, and again where the provider says that nothing was done and another
   * of its deployments is free or no other model follows that can be asked; a second time beside the
   * first where that is hedged and late. Notes each try with how it ended and how long it took. Before
   * one begins, the most that it may cost is set aside; a try that failed has cost nothing. A model
   * that has failed at an earlier place of the plan is asked again when it said, if at all, as in a
   * retry.
   *
   * @throws GatewayError 402 when there is not that much, 503 while the model fails too often, and
   * what the last try threw.
   */
  async tried<T>(call: Call, target: Target, work: Work<T>): Promise<T> {
    this.single.refuseWhileOpen(call, target);
    const movesOn = () => this.movesOn(call, target);
    await this.rested(call, target, movesOn);
    await this.settlement.hold(call, target);
    this.retries.begin(target.model.provider);
    const progress = noProgress();
    const hasAnother = () => this.hasAnother(call, target, progress.used);
    const first: Side<T> = (side, sideWork) => {
      const single: Work<T> = (tried) => this.single.make(tried, target, sideWork, hasAnother);
      return this.again(side, target, progress, single, movesOn);
    };
    const afterMs = hedgeAfterMs(call, target);
    if (afterMs === undefined) return first(call, work);
    return hedged(call, afterMs, work, { first, ...this.secondSide<T>(call, target, progress) });
  }

  /** What a hedged call wants to know of its second side, which makes one try. */
  private secondSide<T>(call: Call, target: Target, progress: Progress): Omit<Sides<T>, 'first'> {
    const beside: Side<T> = (side, sideWork) =>
      this.through(side, target, progress, (tried) => this.single.make(tried, target, sideWork));
    return {
      second: async () => {
        if (progress.isWaiting) return 'later';
        return (await this.mayHedge(call, target)) ? beside : undefined;
      },
      unused: () => {
        this.retries.takeBack(target.model.provider);
      },
    };
  }

  /**
   * Makes a try that costs nothing and is noted nowhere, again where one key is refused and another
   * deployment is free.
   *
   * @throws GatewayError 503 until a model works that failed too often, and what the last try threw.
   */
  async unpaid<T>(call: Call, target: Target, work: Work<T>): Promise<T> {
    this.single.refuseUntilClosed(call, target);
    return this.again(call, target, noProgress(), work, insteadOfWaiting);
  }

  /** @param movesOn as the method of this name. */
  private async again<T>(
    call: Call,
    target: Target,
    progress: Progress,
    work: Work<T>,
    movesOn: () => Promise<boolean>,
  ): Promise<T> {
    const { provider } = target.model;
    let countedRetries = 0;
    const countRetry = (): void => {
      countedRetries += 1;
    };
    let earlierError: unknown;
    let waits = 0;
    for (;;) {
      try {
        const answer = await this.through(call, target, progress, work);
        this.retries.succeed(provider, countedRetries);
        return answer;
      } catch (error) {
        if (call.ends.aborted) throw error;
        const hasAnother = this.hasAnother(call, target, progress.used);
        const elapsedMs = performance.now() - call.context.receivedAt;
        const prospects = { elapsedMs, hasAnother, movesOn, countRetry };
        const waitMs = await this.retries.waitBefore(error, waits, provider, prospects);
        if (waitMs === undefined) {
          noteRest(call, target, progress, error);
          // What the provider said tells more than that it has opened the circuit.
          throw isUnasked(error) ? (earlierError ?? error) : error;
        }
        // Moves at once to another deployment are not limited: when all have refused, one is still waited for.
        if (waitMs > 0) waits += 1;
        earlierError = error;
        progress.isWaiting = true;
        await pause(waitMs, call.ends);
        progress.isWaiting = false;
      }
    }
  }

  /** Waits until the model may be asked. @throws what its last try threw, where that is too long. */
  private async rested(call: Call, target: Target, movesOn: () => Promise<boolean>): Promise<void> {
    const rest = call.resting.get(target.model.id);
    if (!rest || this.hasAnother(call, target, rest.used)) return;
    const waitMs = rest.until - performance.now();
    if (waitMs <= 0) return;
    const elapsedMs = performance.now() - call.context.receivedAt;
    if (!this.retries.mayWait(waitMs, elapsedMs) || (await movesOn())) throw rest.error;
    await pause(waitMs, call.ends);
  }

  /**
   * Does the work by way of a deployment that was not tried where there is one, which rests when what
   * comes of it asks for that. A key that is refused, or a model that one does not have, does not hide what
   * the provider said by way of another one.
   */
  private async through<T>(
    call: Call,
    target: Target,
    progress: Progress,
    work: Work<T>,
  ): Promise<T> {
    const purpose = purposeOf(call, target);
    const deployment = isPlayed(call)
      ? undefined
      : this.deployments.choose(target.connection, progress.used, purpose);
    if (deployment) progress.used.add(deployment);
    const ended = isPlayed(call)
      ? unwatched
      : this.keyRefusals.watch(deployment, target.connection, purpose);
    try {
      const answer = await work({ ...call, deployment });
      ended();
      return answer;
    } catch (error) {
      ended(error);
      // It may stand in an answer that began well.
      this.deployments.report(deployment, error, purpose);
      const isOfDeployment =
        error instanceof GatewayError && (isKeyRefused(error) || isLacked(error));
      if (!deployment || !isOfDeployment) progress.failure = error;
      throw this.deployments.soonest(target.connection, progress.failure ?? error, purpose);
    }
  }

  /** Whether another model follows that may work, is paid for, and can be asked such a thing. */
  private async movesOn(call: Call, { model: { id } }: Target): Promise<boolean> {
    const others = call.following.filter(
      (next) => next.model.id !== id && this.health.isHealthy(next),
    );
    if (others.length === 0) return false;
    const covers = await this.settlement.coverage(call);
    return others.some((next) => covers(next) && call.canAsk(next));
  }

  /** Whether a deployment that has not been tried can serve. */
  private hasAnother(call: Call, target: Target, used: ReadonlySet<Deployment>): boolean {
    return this.deployments.hasAnother(target.connection, used, purposeOf(call, target));
  }

  /** Whether a second call is wise, within the retry budget, and paid for: sets its cost aside. */
  private async mayHedge(call: Call, target: Target): Promise<boolean> {
    const { id, provider } = target.model;
    if (call.ends.aborted || this.health.circuit(id) !== 'closed') return false;
    if (!this.retries.mayAdd(provider)) return false;
    let isHeld = false;
    try {
      await this.settlement.holdMore(call, target);
      isHeld = !call.ends.aborted;
    } catch {
      // The first one is on its way, and may well answer.
    }
    if (!isHeld) this.retries.takeBack(provider);
    return isHeld;
  }
}

/** Whether the model was not called, as its circuit was open. */
function isUnasked(error: unknown): boolean {
  return error instanceof GatewayError && error.details.upstream?.circuit !== undefined;
}

/** A model that was not called has asked for nothing. */
function noteRest({ resting }: Call, { model }: Target, { used }: Progress, error: unknown): void {
  if (!(error instanceof GatewayError) || isUnasked(error)) return;
  const { retryAfter = 0 } = error.details;
  resting.set(model.id, { error, used, until: performance.now() + retryAfter * 1_000 });
}

/** As if another model followed: what costs nothing is given up where it would have to be waited for. */
const insteadOfWaiting = (): Promise<boolean> => Promise.resolve(true);

const unwatched = (): void => undefined;

function noProgress(): Progress {
  return { used: new Set(), isWaiting: false };
}
