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
    const fallbacks = (choice.fallbacks ?? []).map((id, index) => {
      if (id === ROUTER) throw invalid(`'${ROUTER}' cannot be a fallback`, `fallbacks[${index}]`);
      return this.target(caller, id, need, `fallbacks[${index}]`);
    });
    const first =
      choice.model === ROUTER
        ? this.routed(caller, choice, need)
        : [this.target(caller, choice.model, need, 'model')];
    return [...first, ...fallbacks];
  }

  private target(caller: Caller, id: string, need: Need, param: string): Target {
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
    if (!serves(target, need)) {
      const message = `Model(s) ${id} do not support ${need.path}`;
      throw new GatewayError(400, 'model_not_supported', message, { param });
    }
    return target;
  }

  private routed(caller: Caller, choice: Choice, need: Need): readonly Target[] {
    const named = choice.router_candidates;
    if (named?.length === 0) throw invalid('router_candidates is empty', 'router_candidates');
    const targets = named
      ? named.map((id, index) => this.target(caller, id, need, `router_candidates[${index}]`))
      : this.available(caller, need);
    const ranked = rankCandidates(targets, choice);
    if (ranked.length > 0) return ranked;
    const message = 'No model that you may use can take this request.';
    throw new GatewayError(400, 'router_no_candidate', message, { param: 'model' });
  }

  /** Every listed model that the caller may use; the sandbox only where there is nothing else. */
  private available(caller: Caller, need: Need): readonly Target[] {
    const { snapshot } = this.catalogue;
    const targets = snapshot.models.flatMap((model) => {
      const connection = snapshot.connection(model.provider);
      const allowed =
        mayUse(caller.accountModels, model.id) &&
        mayUse(caller.keyModels, model.id) &&
        servedIn(caller.region, model);
      return connection && allowed && serves({ model, connection }, need)
        ? [{ model, connection }]
        : [];
    });
    const real = targets.filter(({ model }) => model.provider !== 'sandbox');
    return real.length > 0 ? real : targets;
  }
}

function serves({ model, connection: { provider } }: Target, { endpoint, format }: Need): boolean {
  if (!model.endpoints.includes(endpoint)) return false;
  return format ? conversation(provider, format) !== undefined : endpoint in provider.endpoints;
}

function invalid(message: string, param: string): GatewayError {
  return new GatewayError(400, 'invalid_value', `${message}.`, { param });
}
