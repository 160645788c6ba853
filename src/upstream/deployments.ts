import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment, identityOf } from '../providers/deployment.js';
import { type ProviderConnection } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { byLoad } from './by-load.js';
import {
  type Condition,
  type DeploymentState,
  IDLE,
  occupy,
  restAsked,
  restUnreached,
  UNREACHED_REST_MS,
} from './deployment-condition.js';
import { FailingRuns } from './failing-runs.js';
import { isKeyRefused } from './refused-key.js';
import { released } from './released-body.js';
import { isOfItsOwn, noLaterThan, restOf, SHORTEST_REST_MS, usedUpBeside } from './rest-of.js';
import { type SharedRests } from './shared-rests.service.js';
import { isLacked, SparedEndpoints } from './spared-endpoints.js';
import { type Verdict } from './verdict.js';

/** Other processes are told of a rest that lasts longer than what they know by more than this. */
const NEWS_MS = 1_000;
const NONE: ReadonlySet<Deployment> = new Set();
type Rests = Pick<SharedRests, 'restMs' | 'note'>;
const NOT_SHARED: Rests = { restMs: () => 0, note: () => undefined };

/**
 * Spreads the calls of a provider over its deployments, and spares those that asked for it while
 * another one can serve.
 */
export class Deployments {
  /** By address and key, so that a catalogue that is read anew changes nothing. */
  private readonly conditions = new Map<string, Condition>();
  private readonly spared = new SparedEndpoints(() => this.now());
  private readonly failing = new FailingRuns(() => this.now());

  /**
   * @param now milliseconds of a clock that never goes back.
   * @param random from 0 up to 1.
   * @param shared the rests that other processes know of.
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
    private readonly shared: Rests = NOT_SHARED,
  ) {}

  /**
   * One of those with the fewest calls for their weight; undefined where there is nothing to choose. When all
   * rest, those whose rest ends first serve all the same, but for a call now and then to an `overdue` one; so
   * it is when all lack the model. One that could not be reached gets one call at a time until it is.
   *
   * @param tried those that failed the same request already, taken only when no other one is left.
   * @param purpose what it is called for, such as `/v1/messages openai/gpt-4o`: the path and the model.
   */
  choose(
    { deployments: all = [] }: ProviderConnection,
    tried: ReadonlySet<Deployment> = NONE,
    purpose = '',
  ): Deployment | undefined {
    if (all.length < 2) return undefined;
    const deployments = this.having(all, purpose);
    const leastMs = Math.max(0, Math.min(...deployments.map((one) => this.restMs(one, purpose))));
    const overdue = leastMs > 0 && this.overdue(deployments, tried, purpose);
    if (overdue) return overdue;
    // Rests that began almost together are one: else one key would bear all calls until they end.
    const mostMs = leastMs > 0 ? leastMs + SHORTEST_REST_MS : 0;
    const awake = deployments.filter((one) => this.restMs(one, purpose) <= mostMs);
    const fresh = awake.filter((one) => !tried.has(one));
    const free = fresh.filter((one) => !this.condition(one).isProving);
    // Rather than wait for the call that shows whether an address can be reached again.
    const isProved = fresh.length > free.length;
    const soon = isProved ? deployments.filter((one) => this.isSoonFree(one, purpose)) : [];
    const choices = [free, soon.filter((one) => !tried.has(one)), soon, fresh, awake];
    const from = choices.find(({ length }) => length > 0) ?? [];
    return byLoad(from, (one) => this.condition(one), this.random);
  }

  /** How each of them stands, in the order of the settings; empty where there is nothing to choose. */
  states({ deployments = [] }: ProviderConnection): readonly DeploymentState[] {
    if (deployments.length < 2) return [];
    return deployments.map((one) => ({
      address: one.baseUrl.origin,
      running: this.condition(one).running,
      restMs: Math.ceil(this.longestMs(one)),
    }));
  }

  /** Whether one that has not been tried can serve. */
  hasAnother(
    { deployments = [] }: ProviderConnection,
    tried: ReadonlySet<Deployment>,
    purpose = '',
  ): boolean {
    if (tried.size === 0) return false;
    const free = deployments.filter((one) => !tried.has(one) && this.canServe(one, purpose));
    if (!deployments.some((one) => this.isSoonFree(one, purpose))) return free.length > 0;
    return free.some((one) => !this.condition(one).isProving);
  }

  /** Makes a call through a deployment, which counts as busy until the answer's body has been read. */
  async through(
    deployment: Deployment | undefined,
    connection: ProviderConnection,
    send: (connection: ProviderConnection) => Promise<IncomingAnswer>,
    signal: AbortSignal,
  ): Promise<IncomingAnswer> {
    if (!deployment) return send(connection);
    const { baseUrl, apiKey } = deployment;
    const condition = this.condition(deployment);
    const release = occupy(condition, this.now(), signal);
    const { unreachedUntil } = condition;
    try {
      const answer = await send({ ...connection, baseUrl, apiKey });
      Object.assign(condition, { unreached: 0, isProving: false });
      // A call that began before it rested says nothing of now.
      if (condition.unreachedUntil === unreachedUntil) condition.unreachedUntil = -Infinity;
      return { ...answer, body: released(answer.body, release) };
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Lets a deployment rest that is used up, cannot be reached, asks for it or whose key is refused, and asks it
   * for no model for a while that it does not have. Other processes are told of what the provider has
   * answered: one that was not reached from here may well be from there.
   */
  report(deployment: Deployment | undefined, error: unknown, purpose = ''): void {
    this.reportPart(deployment, error, purpose);
    if (deployment && isLacked(error)) this.spared.note(deployment, purpose);
  }

  /** The same for one of several calls of a try, which may be for something else than the model. */
  reportPart(deployment: Deployment | undefined, error: unknown, purpose = ''): void {
    if (!deployment || !(error instanceof GatewayError)) return;
    const condition = this.condition(deployment);
    if (error.details.upstream?.unsent) restUnreached(condition, this.now());
    const ms = restOf(error) ?? 0;
    if (isOfItsOwn(error, purpose)) this.spared.note(deployment, purpose, ms);
    else {
      if (ms > this.wholeRestMs(deployment) + NEWS_MS) this.shared.note(deployment, ms);
      restAsked(condition, this.now() + ms, isKeyRefused(error));
    }
  }

  /**
   * The same failure, with a `Retry-After` no longer than until one of them is free that has the model:
   * the provider as a whole need not be waited for as long as the deployment that was asked last. One that
   * is refused, or lacks the model, does not hide that another one is used up, and works again after that.
   *
   * @param purpose as in `choose`.
   */
  soonest({ deployments = [] }: ProviderConnection, error: unknown, purpose = ''): unknown {
    if (deployments.length < 2 || !(error instanceof GatewayError)) return error;
    const having = this.having(deployments, purpose);
    const usedUpMs = having.map((one) => this.condition(one).usedUpUntil - this.now());
    const restsMs = having.map((one) => this.restMs(one, purpose));
    return usedUpBeside(error, usedUpMs) ?? noLaterThan(Math.min(...restsMs), error, purpose);
  }

  /**
   * Takes in what came of a call in the end; lets a deployment rest that fails again and again.
   *
   * @param purpose as in `choose`.
   * @returns what it says of the model: nothing, where that is so and another deployment works.
   */
  judge(
    deployment: Deployment | undefined,
    verdict: Verdict,
    connection: ProviderConnection,
    purpose = '',
  ): Verdict {
    if (!deployment || verdict === 'neither') return verdict;
    if (!this.failing.note(deployment, purpose, verdict)) return verdict;
    return this.isServed(connection, purpose) ? 'neither' : verdict;
  }

  /** Whether one of several can serve that has not failed with its last call, if it had one. */
  isServed({ deployments = [] }: ProviderConnection, purpose = ''): boolean {
    return deployments.some(
      (one) => !this.failing.has(one, purpose) && this.canServe(one, purpose),
    );
  }

  /** Those that do not lack this; all of them where all do. */
  private having(all: readonly Deployment[], purpose: string): readonly Deployment[] {
    const having = all.filter((one) => !this.spared.has(one, purpose));
    return having.length > 0 ? having : all;
  }

  private canServe(deployment: Deployment, purpose: string): boolean {
    return this.restMs(deployment, purpose) <= 0 && !this.spared.has(deployment, purpose);
  }

  /**
   * When all rest: the one that was not called for longest, if that is for the shortest of the rests that none
   * has asked for. These are guesses, which grow while all fail, and it may be the only one that works again.
   */
  private overdue(all: readonly Deployment[], tried: ReadonlySet<Deployment>, purpose: string) {
    if (all.some((one) => this.isSoonFree(one, purpose))) return undefined;
    const before = this.now() - UNREACHED_REST_MS;
    const usedAt = (one: Deployment): number => this.condition(one).usedAt;
    return all
      .filter((one) => !tried.has(one) && this.askedRestMs(one) <= 0 && usedAt(one) <= before)
      .toSorted((one, other) => usedAt(one) - usedAt(other))[0];
  }

  /** Whether it rests because it asked for that, and no longer than one that cannot be reached. */
  private isSoonFree(deployment: Deployment, purpose: string): boolean {
    if (this.spared.has(deployment, purpose) || this.askedRestMs(deployment) <= 0) return false;
    return this.restMs(deployment, purpose) <= UNREACHED_REST_MS;
  }

  /** More than 0 while it is not to be asked for this. */
  private restMs(deployment: Deployment, purpose: string): number {
    return Math.max(this.wholeRestMs(deployment), this.failing.restMs(deployment, purpose));
  }

  /** Until it gets all calls again; 0 while it does. */
  private longestMs(deployment: Deployment): number {
    const ofSomeMs = [this.failing, this.spared].map((some) => some.longestMs(deployment));
    return Math.max(0, this.wholeRestMs(deployment), ...ofSomeMs);
  }

  /** More than 0 while it is not to be asked for anything. */
  private wholeRestMs(deployment: Deployment): number {
    const unreachedMs = this.condition(deployment).unreachedUntil - this.now();
    return Math.max(unreachedMs, this.askedRestMs(deployment));
  }

  /** The same, because it has asked for that. */
  private askedRestMs(deployment: Deployment): number {
    const ownMs = this.condition(deployment).restsUntil - this.now();
    return Math.max(ownMs, this.shared.restMs(deployment));
  }

  private condition(deployment: Deployment): Condition {
    const name = identityOf(deployment);
    const known = this.conditions.get(name) ?? { ...IDLE };
    this.conditions.set(name, known);
    return known;
  }
}
