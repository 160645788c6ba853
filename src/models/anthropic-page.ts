import { GatewayError } from '../contract/gateway-error.js';
import { type Model } from '../contract/model.js';
import { type AnthropicModel, type AnthropicModelList } from './dto/anthropic-model.dto.js';

/** The query of `GET /v3/v1/models`, unchecked. */
export interface PageQuery {
  readonly limit?: unknown;
  readonly after_id?: unknown;
  readonly before_id?: unknown;
}

/** The models that hold a conversation, newest first: the order of the list. */
export function conversing(models: readonly Model[]): readonly Model[] {
  return models
    .filter(({ endpoints }) => endpoints.includes('messages'))
    .sort((one, other) => other.created - one.created);
}

/**
 * A page of models, which are in their order. https://platform.claude.com/docs/en/api/models-list
 *
 * @throws GatewayError 400 if the query is wrong.
 */
export function anthropicPage(sorted: readonly Model[], query: PageQuery): AnthropicModelList {
  const limit = readLimit(query.limit);
  const after = cursor(sorted, query, 'after_id');
  const before = cursor(sorted, query, 'before_id');
  if (after !== undefined && before !== undefined) {
    throw invalid('before_id', 'after_id and before_id cannot be used together.');
  }
  const [start, end] =
    before === undefined
      ? [(after ?? -1) + 1, (after ?? -1) + 1 + limit]
      : [Math.max(before - limit, 0), before];
  const data = sorted.slice(start, end).map(anthropicModel);
  return {
    data,
    has_more: before === undefined ? end < sorted.length : start > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

/** A model as Anthropic's clients read it. */
export function anthropicModel({ id, name, description, created }: Model): AnthropicModel {
  return {
    type: 'model',
    id,
    display_name: description ?? name,
    created_at: new Date(created * 1_000).toISOString().replace('.000Z', 'Z'),
  };
}

const DEFAULT_LIMIT = 20;
const MOST = 1_000;

function readLimit(value: unknown): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw invalid('limit', `limit must be a whole number from 1 to ${MOST}.`);
}

/** Where the model of that id stands. */
function cursor(
  models: readonly Model[],
  query: PageQuery,
  param: 'after_id' | 'before_id',
): number | undefined {
  const id = query[param];
  if (id === undefined || id === '') return undefined;
  const index = models.findIndex((model) => model.id === id);
  if (index < 0) throw invalid(param, `${param} is not the id of a model in this list.`);
  return index;
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError(400, 'invalid_value', message, { param });
}
