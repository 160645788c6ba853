import { type Timeouts } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { isKeyRefused } from './refused-key.js';
import { RetryBudget } from './retry-budget.js';
import { isLacked } from './spared-endpoints.js';

/** A model is asked again at most so often. */
const MOST_RETRIES = 2;
const FIRST_WAIT_MS = 250;
/**
 * The longest wait that is done for a caller: who is told a longer one waits without a connection, which
 * proxies in between close after a minute of silence.
 */
const LONGEST_WAIT_MS = 30_000;

/** Answers that say that nothing was done: too many requests, unavailable, overloaded. */
const NOT_DONE = new Set([429, 503, 529]);

/** Whether nobody has worked on a call that failed so: another key or address can be asked the same. */
export function isNotDone(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { upstream } = error.details;
  if (upstream?.unsent !== undefined) return upstream.unsent;
  return isLacked(error) || isKeyRefused(error) || NOT_DONE.has(upstream?.status ?? 0);
}

/** Whether it is an answer to one key or address, which another one need not get. */
function isOfOneDeployment(error: GatewayError): boolean {
  if (isLacked(error)) return true;
  const { upstream } = error.details;
  // False marks what the provider has begun: an error of that is the same for every key.
  return upstream?.unsent === undefined && (upstream?.status === 429 || isKeyRefused(error));
}

/** Whether the same call may work after a short wait. */
function mayWorkLater(error: GatewayError, hasAnother: boolean): boolean {
  const { upstream } = error.details;
  if (!upstream || isKeyRefused(error) || (upstream.isFinal && !hasAnother)) return false;
  // Who took a whole time limit to answer nothing, or failed too often, is better left alone.
  if (error.status === 504 || upstream.circuit) return false;
  return upstream.unsent ?? NOT_DONE.has(upstream.status);
}

/** What a call that failed may still hope for. */
interface Prospects {
  /** Milliseconds since the request arrived. */
  readonly elapsedMs: number;
  /** A deployment of the same provider that was not tried is free. */
  readonly hasAnother?: boolean;
  /** Whether another model follows; to know that takes time, so it is asked last, before a wait. */
  readonly movesOn?: () => Promise<boolean>;
  /** Told that the budget has paid for the call which is made again; `succeed` wants to know how often. */
  readonly countRetry?: () => void;
}

/**
 * Decides whether a model is asked again. Only what nobody can have done, or says not to have done,
 * is tried again: a call whose bytes were sent and that then broke may have been billed.
 */
export class Retries {
  private readonly budgets = new Map<string, RetryBudget>();
  /** Providers all of whose keys were refused, or lacked a model, since when no call of theirs has worked. */
  private readonly exhausted = new Set<string>();

  /** A provider may take so long to begin an answer; no wait makes it longer. */
  private readonly patienceMs: number;

  /** @param random from 0 up to 1. */
  constructor(
    { firstByteMs, totalMs }: Pick<Timeouts, 'firstByteMs' | 'totalMs'>,
    private readonly random: () => number = Math.random,
  ) {
    this.patienceMs = Math.min(firstByteMs, totalMs);
  }

  /** A request goes to the provider for the first time. */
  begin(provider: string): void {
    this.budget(provider).earn();
  }

  /** A call to the provider has worked, for which so many retries were counted. */
  succeed(provider: string, retries = 0): void {
    this.exhausted.delete(provider);
    this.budget(provider).giveBack(retries);
  }

  /**
   * Milliseconds to wait before the call is made again; undefined when it is not, or could not begin in time.
   *
   * It is 0 where another key or address is free, and what failed says nothing of that: the request never
   * reached the provider, one key was refused it, or the model is missing there. Once all keys were refused it
   * counts as a retry all the same, because they may share a limit, or an address that is wrong.
   *
   * Otherwise it is the provider's `Retry-After` and a little by chance, so that those who were told the same
   * moment do not all come in it.
   *
   * @param retries how often this call was waited for already; moves at once do not count.
   */
  async waitBefore(
    error: unknown,
    retries: number,
    provider: string,
    { elapsedMs, hasAnother = false, movesOn = no, countRetry = nothing }: Prospects,
  ): Promise<number | undefined> {
    if (!(error instanceof GatewayError)) return undefined;
    const isOfOne = isOfOneDeployment(error);
    if (isOfOne && !hasAnother) this.exhausted.add(provider);
    const { upstream, retryAfter } = error.details;
    if (hasAnother && (upstream?.unsent || (isOfOne && this.mayMove(provider, countRetry)))) {
      return 0;
    }
    if (retries >= MOST_RETRIES || !mayWorkLater(error, hasAnother)) return undefined;
    // Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
    const jitter = this.random() * FIRST_WAIT_MS * 2 ** retries;
    // Another key or address was not asked to wait.
    const wait = hasAnother ? jitter : jitter + (retryAfter ?? 0) * 1_000;
    if (!this.mayWait(wait, elapsedMs) || (await movesOn())) return undefined;
    return this.spend(provider, countRetry) ? wait : undefined;
  }

  /** Whether a call may begin so much later, its request having arrived `elapsedMs` ago. */
  mayWait(waitMs: number, elapsedMs: number): boolean {
    return waitMs < LONGEST_WAIT_MS && elapsedMs + waitMs < this.patienceMs;
  }

  /** Whether a call may be made a second time while the first one runs; it counts as a retry. */
  mayAdd(provider: string): boolean {
    return this.budget(provider).spend();
  }

  /** A call that might have been made a second time was not. */
  takeBack(provider: string): void {
    this.budget(provider).giveBack(1);
  }

  /** Whether another key may be asked at once; it counts as a retry where that has been in vain. */
  private mayMove(provider: string, countRetry: () => void): boolean {
    return !this.exhausted.has(provider) || this.spend(provider, countRetry);
  }

  private spend(provider: string, countRetry: () => void): boolean {
    const isSpent = this.budget(provider).spend();
    if (isSpent) countRetry();
    return isSpent;
  }

  private budget(provider: string): RetryBudget {
    const known = this.budgets.get(provider) ?? new RetryBudget();
    this.budgets.set(provider, known);
    return known;
  }
}

const no = (): Promise<boolean> => Promise.resolve(false);
const nothing = (): void => undefined;
