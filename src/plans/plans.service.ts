import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { ROUTER } from '../contract/router.js';
import { withHelpers } from '../routing/helper-of.js';
import { Planner } from '../routing/planner.js';
import { type Ranking, rounded } from '../routing/rank-models.js';
import { RouteFinder } from '../routing/route-finder.js';
import { type RouteBody } from './dto/route-body.dto.js';
import { type RouteCandidate, type RoutePlan } from './dto/route-plan.dto.js';
import { bodyJudge } from './judged-body.js';

/** Tells what would become of a conversation. */
@Injectable()
export class PlansService {
  private readonly judge: ReturnType<typeof bodyJudge>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly planner: Planner,
    private readonly finder: RouteFinder,
  ) {
    this.judge = bodyJudge(config);
  }

  /** @throws GatewayError as the request itself would before any model is called, 422 as 400. */
  async describe(context: RequestContext, sent: CheckedBody<RouteBody>): Promise<RoutePlan> {
    const { body, need } = this.judge(sent);
    const { value } = body;
    const { caller } = context;
    const asked = { caller, choice: value, need };
    if (value.model !== ROUTER) {
      const named = withHelpers(this.planner.plan(caller, value, need), asked);
      const ids = named.map(({ model }) => model.id);
      return { model: ids[0] ?? value.model, plan: ids, candidates: [] };
    }
    const call = { context, body, stream: value.stream === true };
    const { plan, ranking, shape, isKept } = await this.finder.find(call, need);
    const ids = withHelpers(plan, asked).map(({ model }) => model.id);
    return {
      model: ids[0] ?? value.model,
      plan: ids,
      task: shape.task,
      kept: isKept,
      candidates: routeCandidates(ranking),
    };
  }
}

function routeCandidates({ ranked, dropped }: Ranking): RouteCandidate[] {
  return [
    ...ranked.map(({ model, score, quality, price, latencyMs, failing }) => ({
      model,
      score: rounded(score),
      quality: rounded(quality),
      price: rounded(price),
      latency_ms: latencyMs,
      ...(failing && { failing }),
    })),
    ...dropped.map(({ model, reason }) => ({
      model,
      score: null,
      quality: null,
      price: null,
      latency_ms: null,
      dropped: reason,
    })),
  ];
}
