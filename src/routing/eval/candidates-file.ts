import { type Model } from '../../contract/model.js';
import { YamlValue } from '../../models/yaml-value.js';
import { beliefsOf } from '../priced-prior.js';
import { type Qualities, type QualityPrior } from '../quality-prior.js';
import { type Place, placesIn, pricingOf } from './written-price.js';
import { byModel, qualitiesIn, qualityMembers, saidOf } from './written-quality.js';

/** A model that may be chosen, as the evaluation sees it. */
export interface EvaluatedModel {
  /** Its id is the name that it has in the candidates file. */
  readonly model: Model;
  /** Names under which rows may know it, the first one first. */
  readonly names: readonly string[];
}

export interface CandidatesFile {
  readonly models: readonly EvaluatedModel[];
  /** The shipped table's word, moved by what the file says. */
  readonly prior: QualityPrior;
}

/** A file of another kind has as many problems as lines; the first ones tell enough. */
const MOST_PROBLEMS = 20;

/**
 * Reads the models that may be chosen: a map from names, or a list with `name`, below `models`,
 * `candidates` or `prices`, or alone. docs/routing.md has the form.
 *
 * @throws Error that lists the problems with their lines.
 */
export function readCandidates(text: string, name: string, shipped: QualityPrior): CandidatesFile {
  const problems: string[] = [];
  const file = YamlValue.parse(text, name, problems);
  const prices = placesIn(file);
  const tops = [file.at('models'), file.at('candidates'), ...prices.map(({ value }) => value)];
  const top = tops.find(({ absent }) => !absent);
  const entries = problems.length > 0 ? [] : entriesOf(top ?? file);
  const apart = top ? qualityMembers(file) : [];
  const models = entries.map(([id, entry]): EvaluatedModel => {
    const besides = prices.map(({ value, tokens }) => ({ value: value.at(id), tokens }));
    return { model: modelOf(id, entry, besides), names: namesOf(id, entry) };
  });
  if (models.length === 0 && problems.length === 0) problems.push(`${name}: has no models`);
  const beliefs = beliefsOf(
    models.map(({ model }) => model),
    shipped,
  );
  const own = new Map<string, Qualities>();
  for (const [id, entry] of entries) {
    if (own.has(id)) entry.problem('is there twice');
    const believed = beliefs.get(id);
    if (believed) own.set(id, qualitiesIn(entry, saidOf(id, apart), believed));
  }
  for (const [id, value] of apart.flatMap(byModel)) {
    if (!own.has(id)) value.problem('is no candidate');
  }
  const more = problems.splice(MOST_PROBLEMS).length;
  if (more > 0) problems.push(`and ${more} more problems`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { models, prior: { ...shipped, of: (id) => own.get(id) } };
}

function entriesOf(top: YamlValue): [string, YamlValue][] {
  if (top.isMap) return top.members();
  return (top.items() ?? []).map((item): [string, YamlValue] => {
    if (!item.isMap) return [item.text() ?? '', item];
    const named = ['name', 'id', 'model'].map((key) => item.at(key)).find(({ absent }) => !absent);
    if (!named) item.problem('needs a name');
    return [named?.text() ?? '', item];
  });
}

/** What rows may call it: as the file says, or without the provider in front. */
function namesOf(id: string, entry: YamlValue): string[] {
  const { absent } = entry.at('aliases');
  const aliases = [
    entry.at('outcome'),
    entry.at('alias'),
    ...((absent ? undefined : entry.at('aliases').items()) ?? []),
  ];
  const names = aliases.flatMap((alias) => (alias.absent ? [] : (alias.text() ?? [])));
  const slash = id.indexOf('/');
  return [id, ...names, ...(slash < 0 ? [] : [id.slice(slash + 1)])];
}

function modelOf(id: string, entry: YamlValue, besides: readonly Place[]): Model {
  const context = entry.at('context_length').whole(1);
  return {
    id,
    name: id,
    provider: '',
    created: 0,
    listed: true,
    endpoints: ['messages'],
    capabilities: {},
    pricing: pricingOf(entry, besides),
    ...(context !== undefined && { contextLength: context }),
  };
}
