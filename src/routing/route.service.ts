import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type Format } from '../contract/endpoint.js';
import { USUAL_MAX_TOKENS } from '../contract/neutral.js';
import { type RouteBody } from './dto/route-body.dto.js';
import { type RouteCandidate, type RoutePlan } from './dto/route-plan.dto.js';
import { type Need, ROUTER } from './choice.js';
import { Planner } from './planner.js';
import { type Ranking, rounded } from './rank-models.js';
import { RouteFinder } from './route-finder.js';

/** Tells what would become of a conversation. */
@Injectable()
export class RouteService {
  constructor(
    private readonly planner: Planner,
    private readonly finder: RouteFinder,
  ) {}

  /** @throws GatewayError as the request itself would before any model is called. */
  async describe(context: RequestContext, body: CheckedBody<RouteBody>): Promise<RoutePlan> {
    const { value } = body;
    const need = needOf(body);
    if (value.model !== ROUTER) {
      const ids = this.planner.plan(context.caller, value, need).map(({ model }) => model.id);
      return { model: ids[0] ?? value.model, plan: ids, candidates: [] };
    }
    const asked = { ...body, value: asItWouldBe(value, need) };
    const call = { context, body: asked, stream: value.stream === true };
    const { plan, ranking, shape, isKept } = await this.finder.find(call, need);
    const ids = plan.map(({ model }) => model.id);
    return {
      model: ids[0] ?? value.model,
      plan: ids,
      task: shape.task,
      kept: isKept,
      candidates: candidatesOf(ranking),
    };
  }
}

/** The body as its surface takes it. */
function asItWouldBe(body: Readonly<Record<string, unknown>>, { format }: Need): object {
  return format === 'anthropic' ? { max_tokens: USUAL_MAX_TOKENS, ...body } : body;
}

/** The surface that takes such a body. */
function needOf({ value, edits }: CheckedBody<RouteBody>): Need {
  const format = isCoerced(value, edits) ? 'anthropic' : formatOf(value);
  return { endpoint: 'messages', format, path: PATHS[format] };
}

const PATHS = { anthropic: '/v1/messages', openai: '/chat/completions', responses: '/responses' };

function formatOf(body: RouteBody): Format & keyof typeof PATHS {
  const { input, messages = [], tools = [] } = body;
  if (input !== undefined) return 'responses';
  const blocks = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as unknown[]) : [],
  );
  const isAnthropic =
    ANTHROPIC_FIELDS.some((name) => body[name] !== undefined) ||
    messages.length === 0 ||
    tools.some((tool) => 'input_schema' in tool) ||
    blocks.some((block) => ANTHROPIC_BLOCKS.has(typeOf(block)));
  return isAnthropic ? 'anthropic' : 'openai';
}

const COERCED = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'stream'];

/** Only messages take texts for numbers and flags. */
function isCoerced({ routing }: RouteBody, edits: CheckedBody<RouteBody>['edits']): boolean {
  const { quality_cost: dial, hedge_after_ms: ms, sticky } = routing ?? {};
  const options = [typeof (dial ?? 0), typeof (ms ?? 0), typeof (sticky ?? true)];
  return (
    COERCED.some((name) => edits.get(name) !== undefined) ||
    options.join() !== 'number,number,boolean'
  );
}

const ANTHROPIC_FIELDS = ['system', 'stop_sequences', 'output_config', 'mcp_servers', 'container'];
const ANTHROPIC_BLOCKS = new Set(['image', 'document', 'tool_use', 'tool_result', 'thinking']);

function typeOf(block: unknown): string {
  const { type } = (block ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : '';
}

function candidatesOf({ ranked, dropped }: Ranking): RouteCandidate[] {
  return [
    ...ranked.map(({ model, score, quality, price, latencyMs }) => ({
      model,
      score: rounded(score),
      quality: rounded(quality),
      price: rounded(price),
      latency_ms: latencyMs,
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
