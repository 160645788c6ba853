import { Injectable } from '@nestjs/common';
import { rateMarks, worstCase } from '../billing/worst-case.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { sessionIdOf } from '../contract/session-id.js';
import { type Units } from '../contract/money.js';
import { ROUTER } from '../contract/router.js';
import { type Target } from '../providers/provider.js';
import { pricedAs } from '../providers/serves.js';
import { Exploration, movedToTop } from './exploration.js';
import { runningHosted } from './hosted-tools.js';
import { tellingLogprobs } from './log-probabilities.js';
import { noCandidate } from './no-candidate.js';
import { type Choice, type Need } from './choice.js';
import { Planner } from './planner.js';
import { type Budget, type Ranking } from './rank-models.js';
import { Ranker } from './ranker.js';
import { type RequestShape, shapeOf } from './request-shape.js';
import { routingOptionsOf } from './routing-options.js';
import { sessionKey, Sessions } from './sessions.service.js';
import { Standings } from './standing.service.js';
import { worthTrying } from './worth-trying.js';

/** A request for `@router`. */
interface Routable {
  readonly context: Pick<RequestContext, 'caller' | 'headers'>;
  readonly body: Pick<CheckedBody<object>, 'value' | 'bytes'>;
  readonly stream: boolean;
  /** It costs nothing, so that it does not matter what the caller may still spend. */
  readonly isUnpaid?: boolean;
  /** A call follows whose answer can be judged; what is only asked for is told, or counted, by the ranking. */
  readonly mayExplore?: true;
}

/** What the router has found for a request. */
export interface Route {
  /** The models to try, in their order. */
  readonly plan: readonly Target[];
  readonly ranking: Ranking;
  /** Those that could take it, and are left out because they fail at the moment. */
  readonly ill: readonly Target[];
  readonly shape: RequestShape;
  /** What the conversation is remembered by; undefined where it is not to be. */
  readonly session: string | undefined;
  /** Whether the conversation may be known already: it has an id, or was answered before. */
  readonly mayBeKnown: boolean;
  /** The conversation goes on with the model that has begun it. */
  readonly isKept: boolean;
}

/** Finds the models for a request that leaves the choice to the router. */
@Injectable()
export class RouteFinder {
  constructor(
    private readonly planner: Planner,
    private readonly ranker: Ranker,
    private readonly standings: Standings,
    private readonly sessions: Sessions,
    private readonly exploration: Exploration,
  ) {}

  /**
   * The models to try, in their order, for a request that names its model or leaves it to the router.
   *
   * @throws GatewayError as `Planner.plan` and `find`.
   */
  async planOf(asked: Routable, need: Need): Promise<readonly Target[]> {
    const choice = asked.body.value as Choice;
    if (choice.model === ROUTER) return (await this.find(asked, need)).plan;
    return this.planner.plan(asked.context.caller, choice, need);
  }

  /**
   * Changes nothing, so that it can be asked without a call to follow.
   *
   * @throws GatewayError as `Planner.plan`, and 503 while the database is away.
   */
  async find(asked: Routable, need: Need): Promise<Route> {
    const { context, body, stream, isUnpaid, mayExplore } = asked;
    const { caller } = context;
    const choice = body.value as Choice;
    const fallbacks = this.planner.fallbacks(caller, choice, need);
    const named = this.planner.candidates(caller, choice, need);
    const candidates = tellingLogprobs(runningHosted(named, need, choice), need, choice);
    const shape = shapeOf(body.value);
    const { learned, left } = await this.standings.of(caller);
    const { dial, sticky } = routingOptionsOf(choice);
    const isBounded = left !== undefined && !isUnpaid;
    const budget = isBounded ? budgetOf(left, body, need) : undefined;
    const found = this.ranker.rank(candidates.targets, { shape, stream, dial, learned, budget });
    const dropped = [...found.dropped, ...candidates.dropped];
    if (found.ranked.length === 0) throw noCandidate(dropped);

    const session = sticky ? sessionKey(context, body.value, shape) : undefined;
    // The same first words are often another conversation, and have no cache to keep.
    const mayBeKnown = shape.goesOn || sessionIdOf(context, body.value) !== undefined;
    const isAsked = session !== undefined && mayBeKnown;
    const kept = isAsked ? await this.sessions.modelOf(session) : undefined;
    const at = keptAt(found.ranked, kept);
    const isKept = at >= 0;
    let { ranked } = found;
    if (isKept) ranked = movedToTop(ranked, at);
    else if (mayExplore) ranked = this.exploration.order(ranked);
    // Candidates that the caller names are all tried.
    const tried = choice.router_candidates ? ranked : worthTrying(ranked, need, choice);
    return {
      plan: [...tried.map(({ target }) => target), ...fallbacks],
      ranking: { ranked, dropped },
      ill: illAmong(candidates.targets, dropped),
      shape,
      session,
      mayBeKnown,
      isKept,
    };
  }
}

/** Where the conversation's model stands; -1 where it is not kept, as while it fails and others do not. */
function keptAt(ranked: Ranking['ranked'], kept: string | undefined): number {
  return ranked.findIndex(({ model, failing }) => {
    return model === kept && (!failing || ranked[0]?.failing === true);
  });
}

function illAmong(targets: readonly Target[], dropped: Ranking['dropped']): readonly Target[] {
  const ill = new Set(
    dropped.flatMap(({ model, reason }) => (reason === 'unhealthy' ? model : [])),
  );
  return ill.size === 0 ? [] : targets.filter(({ model }) => ill.has(model.id));
}

/** What the body comes to at most is counted once, and not for every model. */
function budgetOf(
  left: Units,
  { value, bytes }: Routable['body'],
  { path, format }: Need,
): Budget<Target> {
  const marks = rateMarks(bytes);
  return {
    left,
    worstCase: (target) => {
      const { model, helper = null } = target;
      const body = { value: pricedAs(target, format, value), bytes: marks };
      return worstCase(model, { path, body, cameAs: value, helper });
    },
  };
}
