import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { type Endpoint, type Format } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { CatalogueService } from '../models/catalogue.service.js';
import { mayUse, servedIn } from '../models/model-access.js';
import { type Target } from '../providers/provider.js';
import { conversation } from '../providers/serves.js';
import { noCandidate } from './no-candidate.js';
import { type Dropped } from './rank-models.js';
import { Ranker } from './ranker.js';
import { shapeOf } from './request-shape.js';

/** What a surface needs of a model. */
export interface Need {
  readonly endpoint: Endpoint;
  /** The format of a conversation; absent for endpoints that have only one. */
  readonly format?: Format;
  /** The route below `/v3`, as messages name it. */
  readonly path: string;
}

/** The fields of a body that choose models. */
export interface Choice {
  readonly model: string;
  readonly fallbacks?: readonly string[] | null;
  readonly router_candidates?: readonly string[] | null;
}

/** The model that stands for whichever is best. */
export const ROUTER = '@router';

/** What the router may choose from, and what it may not. */
export interface Field {
  readonly targets: readonly Target[];
  readonly dropped: readonly Dropped[];
}

interface Asked {
  readonly caller: Caller;
  readonly choice: Choice;
  readonly need: Need;
}

/** Turns what a request names into the models to try, in their order. */
@Injectable()
export class Planner {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly ranker: Ranker,
  ) {}

  /**
   * Every entry is checked before any is called. `@router` is ranked here by the request alone; what
   * depends on the conversation and on feedback is the router's.
   *
   * @throws GatewayError 400 (no model id, a model of the wrong kind, no candidate), 403 (not for
   * this key), 404 (unknown or not for this account) or 451 (not in this region).
   */
  plan(caller: Caller, choice: Choice, need: Need): readonly Target[] {
    const fallbacks = this.fallbacks(caller, choice, need);
    if (choice.model !== ROUTER) {
      return [this.target({ caller, choice, need }, choice.model, 'model'), ...fallbacks];
    }
    const { targets, dropped } = this.field(caller, choice, need);
    const ranking = this.ranker.rank(targets, { shape: shapeOf(choice), stream: false });
    if (ranking.ranked.length === 0) throw noCandidate([...dropped, ...ranking.dropped]);
    return [...ranking.ranked.map(({ target }) => target), ...fallbacks];
  }

  /** The models of `fallbacks`. @throws GatewayError as `plan`. */
  fallbacks(caller: Caller, choice: Choice, need: Need): readonly Target[] {
    return (choice.fallbacks ?? []).map((id, index) => {
      if (id === ROUTER) throw invalid(`'${ROUTER}' cannot be a fallback`, `fallbacks[${index}]`);
      return this.target({ caller, choice, need }, id, `fallbacks[${index}]`);
    });
  }

  /** The models of `router_candidates`, or all that there are. @throws GatewayError as `plan`. */
  field(caller: Caller, choice: Choice, need: Need): Field {
    const asked = { caller, choice, need };
    const { router_candidates: named } = choice;
    if (!named) return this.available(asked);
    if (named.length === 0) throw invalid('router_candidates is empty', 'router_candidates');
    const targets = [...new Set(named)].map((id) =>
      this.target(asked, id, `router_candidates[${named.indexOf(id)}]`),
    );
    return { targets, dropped: [] };
  }

  private target(asked: Asked, id: string, param: string): Target {
    const { caller, need } = asked;
    if (!/^[^/]+\/./.test(id))
      throw invalid(`'${id}' is not of the form <provider>/<model>`, param);
    const { snapshot } = this.catalogue;
    const model = snapshot.find(id);
    const connection = model && snapshot.connection(model.provider);
    if (!connection || !mayUse(caller.accountModels, id)) {
      const message = `The model '${id}' does not exist or is not enabled on your account.`;
      throw new GatewayError(404, 'model_not_found', message, { param });
    }
    if (!mayUse(caller.keyModels, id)) {
      const message = `This key may not use the model '${id}'.`;
      throw new GatewayError(403, 'model_not_allowed', message, { param });
    }
    if (!servedIn(caller.region, model)) {
      const message = `The model '${id}' is not available in your region.`;
      throw new GatewayError(451, 'region_not_allowed', message, { param });
    }
    const target = { model, connection };
    if (!serves(target, asked)) {
      const message = `Model(s) ${id} do not support ${need.path}`;
      throw new GatewayError(400, 'model_not_supported', message, { param });
    }
    return target;
  }

  /** Every listed model that the caller may use; the sandbox only where there is nothing else. */
  private available(asked: Asked): Field {
    const { snapshot } = this.catalogue;
    const targets: Target[] = [];
    const dropped: Dropped[] = [];
    for (const model of snapshot.models) {
      const connection = snapshot.connection(model.provider);
      if (!connection || !model.endpoints.includes(asked.need.endpoint)) continue;
      const target = { model, connection };
      const reason = closed(target, asked);
      if (reason) dropped.push({ model: model.id, reason });
      else targets.push(target);
    }
    const real = targets.filter(({ model }) => model.provider !== 'sandbox');
    return { targets: real.length > 0 ? real : targets, dropped };
  }
}

/** Why a model is not there for the caller; those of other endpoints are no candidates at all. */
function closed(target: Target, asked: Asked): 'not_allowed' | 'region' | 'endpoint' | undefined {
  const { accountModels, keyModels, region } = asked.caller;
  const { model } = target;
  if (!mayUse(accountModels, model.id) || !mayUse(keyModels, model.id)) return 'not_allowed';
  if (!servedIn(region, model)) return 'region';
  return serves(target, asked) ? undefined : 'endpoint';
}

function serves(target: Target, { need, choice }: Asked): boolean {
  const { endpoint, format } = need;
  const { model, connection } = target;
  if (!model.endpoints.includes(endpoint)) return false;
  return format
    ? conversation(target, format, choice) !== undefined
    : endpoint in connection.provider.endpoints;
}

function invalid(message: string, param: string): GatewayError {
  return new GatewayError(400, 'invalid_value', `${message}.`, { param });
}
