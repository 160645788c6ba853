import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { type Model } from '../contract/model.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type HelperTool, helpersIn } from '../contract/helper.js';
import { ROUTER } from '../contract/router.js';
import { CatalogueService } from '../models/catalogue.service.js';
import { mayUse, outsideRegion, servedIn, unknownModel } from '../models/model-access.js';
import { type Target } from '../providers/provider.js';
import { available, type Candidates, serves } from './available-models.js';
import { type Asked, type Choice, type Need } from './choice.js';
import { helperOf } from './helper-of.js';

/** Turns what a request names into the models to try, in their order. */
@Injectable()
export class Planner {
  constructor(private readonly catalogue: CatalogueService) {}

  /**
   * For a request that names its model; every entry is checked before any is called. `@router` is for the
   * `RouteFinder`.
   *
   * @throws GatewayError 400 (no model id, a model of the wrong kind), 403 (not for this key), 404
   * (unknown or not for this account) or 451 (not in this region).
   */
  plan(caller: Caller, choice: Choice, need: Need): readonly Target[] {
    const fallbacks = this.fallbacks(caller, choice, need);
    return [this.target(asking(caller, choice, need), choice.model, 'model'), ...fallbacks];
  }

  /** The models of `fallbacks`. @throws GatewayError as `plan`. */
  fallbacks(caller: Caller, choice: Choice, need: Need): readonly Target[] {
    const asked = asking(caller, choice, need);
    return (choice.fallbacks ?? []).map((id, index) => {
      if (id === ROUTER) throw invalid(`'${ROUTER}' cannot be a fallback`, `fallbacks[${index}]`);
      return this.target(asked, id, `fallbacks[${index}]`);
    });
  }

  /** The models of `router_candidates`, or all that there are. @throws GatewayError as `plan`. */
  candidates(caller: Caller, choice: Choice, need: Need): Candidates {
    const asked = asking(caller, choice, need);
    const { router_candidates: named } = choice;
    if (!named) return available(this.catalogue.snapshot, asked);
    if (named.length === 0) throw invalid('router_candidates is empty', 'router_candidates');
    const targets = new Map<string, Target>();
    for (const [index, id] of named.entries()) {
      if (!targets.has(id)) targets.set(id, this.target(asked, id, `router_candidates[${index}]`));
    }
    return { targets: [...targets.values()], dropped: [] };
  }

  private target(asked: Asked, id: string, param: string): Target {
    const { caller, need } = asked;
    if (!/^[^/]+\/./.test(id))
      throw invalid(`'${id}' is not of the form <provider>/<model>`, param);
    const { snapshot } = this.catalogue;
    const found = snapshot.find(id);
    const connection = found && snapshot.connection(found.provider);
    if (!connection) throw unknownModel(id, param);
    const model = permitted(caller, found, id, param);
    const target = { model, connection, ...this.helped({ model, connection }, asked) };
    if (!serves(target, asked)) {
      const message = `Model(s) ${id} do not support ${need.path}`;
      throw new GatewayError(400, 'model_not_supported', message, { param });
    }
    return target;
  }

  /** Whom a model would use, if its provider has one of that name: else it is passed over. */
  private helped(target: Target, asked: Asked): Pick<Target, 'helper'> {
    const helper = helperOf(target, asked, (id) => this.catalogue.snapshot.find(id));
    if (!helper) return {};
    const { id, model, tool } = helper;
    return { helper: model ? permitted(asked.caller, model, id, tool.param) : null };
  }
}

/** @throws GatewayError 400 for more models that help than there can be. */
function asking(caller: Caller, choice: Choice, need: Need): Asked {
  const helpers = helpersIn(choice);
  const advisors = helpers.filter(({ format }) => format === 'anthropic');
  refuseSecond(advisors.filter(({ at }) => at.startsWith('tools[')));
  // The same one may be on offer again later in the conversation.
  refuseSecond(eachOnce(advisors));
  refuseSecond(eachOnce(helpers.filter(({ format }) => format === 'responses')));
  return { caller, choice, need, helpers };
}

function refuseSecond([, second]: readonly HelperTool[]): void {
  if (second) throw invalid('There can be one such model', second.param);
}

function eachOnce(helpers: readonly HelperTool[]): readonly HelperTool[] {
  return [...new Map(helpers.toReversed().map((one) => [one.model, one])).values()].toReversed();
}

/** A model that a request names, if it is there for the caller. @throws GatewayError 404, 403 or 451. */
function permitted(caller: Caller, model: Model | undefined, id: string, param: string): Model {
  if (!model || !mayUse(caller.accountModels, id)) throw unknownModel(id, param);
  if (!mayUse(caller.keyModels, id)) {
    const message = `This key may not use the model '${id}'.`;
    throw new GatewayError(403, 'model_not_allowed', message, { param });
  }
  if (!servedIn(caller.region, model)) throw outsideRegion(id, param);
  return model;
}

function invalid(message: string, param: string): GatewayError {
  return new GatewayError(400, 'invalid_value', `${message}.`, { param });
}
