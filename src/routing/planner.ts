import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { type Endpoint, type Format } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { CatalogueService } from '../models/catalogue.service.js';
import { mayUse, servedIn } from '../models/model-access.js';
import { type Target } from '../providers/provider.js';
import { conversation } from '../providers/serves.js';
import { rankCandidates } from './rank-candidates.js';

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

const ROUTER = '@router';

interface Asked {
  readonly caller: Caller;
  readonly choice: Choice;
  readonly need: Need;
}

/** Turns what a request names into the models to try, in their order. */
@Injectable()
export class Planner {
  constructor(private readonly catalogue: CatalogueService) {}

  /**
   * Every entry is checked before any is called.
   *
   * @throws GatewayError 400 (no model id, a model of the wrong kind, no candidate), 403 (not for
   * this key), 404 (unknown or not for this account) or 451 (not in this region).
   */
  plan(caller: Caller, choice: Choice, need: Need): readonly Target[] {
    const asked = { caller, choice, need };
    const fallbacks = (choice.fallbacks ?? []).map((id, index) => {
      if (id === ROUTER) throw invalid(`'${ROUTER}' cannot be a fallback`, `fallbacks[${index}]`);
      return this.target(asked, id, `fallbacks[${index}]`);
    });
    const first =
      choice.model === ROUTER
        ? this.routed(asked)
        : [this.target(asked, choice.model, 'model')];
    return [...first, ...fallbacks];
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

  private routed(asked: Asked): readonly Target[] {
    const named = asked.choice.router_candidates;
    if (named?.length === 0) throw invalid('router_candidates is empty', 'router_candidates');
    const targets = named
      ? named.map((id, index) => this.target(asked, id, `router_candidates[${index}]`))
      : this.available(asked);
    const ranked = rankCandidates(targets, asked.choice);
    if (ranked.length > 0) return ranked;
    const message = 'No model that you may use can take this request.';
    throw new GatewayError(400, 'router_no_candidate', message, { param: 'model' });
  }

  /** Every listed model that the caller may use; the sandbox only where there is nothing else. */
  private available(asked: Asked): readonly Target[] {
    const { caller } = asked;
    const { snapshot } = this.catalogue;
    const targets = snapshot.models.flatMap((model) => {
      const connection = snapshot.connection(model.provider);
      const allowed =
        mayUse(caller.accountModels, model.id) &&
        mayUse(caller.keyModels, model.id) &&
        servedIn(caller.region, model);
      return connection && allowed && serves({ model, connection }, asked)
        ? [{ model, connection }]
        : [];
    });
    const real = targets.filter(({ model }) => model.provider !== 'sandbox');
    return real.length > 0 ? real : targets;
  }
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
