import { type Model } from '../contract/model.js';
import { type Catalogue } from '../models/catalogue.js';
import { mayUse, servedIn } from '../models/model-access.js';
import { type Target } from '../providers/provider.js';
import { conversationWay } from '../providers/serves.js';
import { type Asked } from './choice.js';
import { type Helper, helperOf } from './helper-of.js';
import { type Dropped } from './rank-models.js';

/** What the router may choose from, and what it may not. */
export interface Candidates {
  readonly targets: readonly Target[];
  readonly dropped: readonly Dropped[];
}

/** Every listed model that the caller may use; the sandbox only where there is nothing else. */
export function available(catalogue: Catalogue, asked: Asked): Candidates {
  const targets: Target[] = [];
  const dropped: Dropped[] = [];
  for (const model of catalogue.models) {
    const connection = catalogue.connection(model.provider);
    if (!connection || !model.endpoints.includes(asked.need.endpoint)) continue;
    const helped = helperOf({ model, connection }, asked, (id) => catalogue.find(id));
    const target = { model, connection, ...(helped?.model && { helper: helped.model }) };
    const reason = closed(target, asked) ?? (helped && missed(helped, asked));
    if (reason) dropped.push({ model: model.id, reason });
    else targets.push(target);
  }
  for (const { id, endpoints } of catalogue.disabled) {
    if (endpoints.includes(asked.need.endpoint)) dropped.push({ model: id, reason: 'disabled' });
  }
  const real = withoutDated(targets.filter(({ model }) => model.provider !== 'sandbox'));
  return { targets: real.length > 0 ? real : targets, dropped };
}

/** A model that has an undated and a dated name is one candidate, by the undated one. */
function withoutDated(targets: readonly Target[]): readonly Target[] {
  const stoodFor = new Set(targets.map(({ model }) => model.aliasOf));
  return targets.filter(({ model }) => !stoodFor.has(model.id));
}

/** Whether the model can be asked for this at all. */
export function serves({ model, connection }: Target, { need, choice }: Asked): boolean {
  const { endpoint, format } = need;
  if (!model.endpoints.includes(endpoint)) return false;
  return format
    ? conversationWay({ model, connection }, format, choice) !== undefined
    : endpoint in connection.provider.endpoints;
}

/** Why a model is not there for the caller. */
function barred(model: Model, { caller }: Asked): 'not_allowed' | 'region' | undefined {
  const { accountModels, keyModels, region } = caller;
  if (!mayUse(accountModels, model.id) || !mayUse(keyModels, model.id)) return 'not_allowed';
  return servedIn(region, model) ? undefined : 'region';
}

/** Why the one that a model would use by a tool is not there for the caller. */
function missed(
  { model }: Helper,
  asked: Asked,
): 'not_allowed' | 'region' | 'disabled' | undefined {
  return model ? barred(model, asked) : 'disabled';
}

/** Why a model is not there for the caller; those of other endpoints are no candidates at all. */
function closed(target: Target, asked: Asked): 'not_allowed' | 'region' | 'endpoint' | undefined {
  return barred(target.model, asked) ?? (serves(target, asked) ? undefined : 'endpoint');
}
