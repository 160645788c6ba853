import { type Model, type Pricing } from '../../contract/model.js';
import { YamlValue } from '../../models/yaml-value.js';
import { beliefsOf } from '../priced-prior.js';
import { type Qualities, type QualityPrior } from '../quality-prior.js';
import { TASK_CLASSES, type TaskClass } from '../task-class.js';
import { onScaleOf } from './scale.js';
import { noteUnused } from './unused-members.js';
import { shareAt, wholeOf } from './written-number.js';
import { type Place, placesIn, pricingOf, UNIT_NAMES, unitOf } from './written-price.js';
import { byModel, givenIn, qualitiesOf, qualityMembers, saidOf } from './written-quality.js';

/** A model that may be chosen, as the evaluation sees it. */
export interface EvaluatedModel {
  /** Its id is the name that it has in the candidates file. */
  readonly model: Model;
  /** Names under which rows may know it, the first one first. */
  readonly names: readonly string[];
}

/** What a file of candidates says. */
interface CandidatesFile {
  readonly models: readonly EvaluatedModel[];
  /** The shipped table's word, moved by what the file says. */
  readonly prior: QualityPrior;
  /** What the reader of the file should know: what of it is not used, and what it does not say. */
  readonly notes: readonly string[];
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
  const { entries, prices, apart } = partsOf(file, problems);
  const priced = entries.map(([id, entry]) => {
    const besides = prices.map((place) => ({ ...place, value: place.value.at(id) }));
    return { id, entry, besides };
  });
  const unit = unitOf(file, priced);
  const models = priced.map(({ id, entry, besides }): EvaluatedModel => {
    const pricing = pricingOf(entry, besides, unit);
    return { model: modelOf(id, entry, pricing), names: namesOf(id, entry) };
  });
  if (models.length === 0 && problems.length === 0) problems.push(`${name}: has no models`);
  const beliefs = beliefsOf(
    models.map(({ model }) => model),
    shipped,
  );
  const given = new Map<string, ReadonlyMap<TaskClass, YamlValue>>();
  for (const [id, entry] of entries) {
    if (given.has(id)) entry.problem('is there twice');
    else given.set(id, givenIn(entry, saidOf(id, apart)));
  }
  const whole = wholeOf([...given.values()].flatMap((values) => [...values.values()]));
  const own = new Map<string, Qualities>();
  for (const [id, values] of given) {
    const shares = new Map([...values].map(([task, value]) => [task, shareAt(value, whole)]));
    const believed = beliefs.get(id);
    const said = believed && qualitiesOf(shares, believed);
    if (said) own.set(id, said);
  }
  const unsaid = [...given.keys()].filter((id) => !own.has(id));
  for (const [id, value] of apart.flatMap(byModel)) {
    if (given.has(id)) continue;
    value.problem(`is no candidate, and no kind of task (${TASK_CLASSES.join(', ')})`);
  }
  refuse(problems);
  const notes: string[] = [];
  // The same text once more, so that what is noted now refuses nothing.
  const parts = partsOf(YamlValue.parse(text, name, notes), notes);
  for (const [, entry] of parts.entries) noteUnused(entry);
  for (const value of parts.others) value.problem('is not used');
  const all = onScaleOf(own, beliefs);
  const prior = { ...shipped, of: (id: string) => all.get(id) };
  return { models, prior, notes: [...notes, ...unsaidNotes(unsaid, models, shipped)] };
}

/** What the parts of a file are, wherever they stand. */
interface Parts {
  readonly entries: readonly [string, YamlValue][];
  readonly prices: readonly Place[];
  /** Qualities that stand beside the models. */
  readonly apart: readonly YamlValue[];
  /** What stands beside the models and is none of that. */
  readonly others: readonly YamlValue[];
}

function partsOf(file: YamlValue, problems: readonly string[]): Parts {
  const prices = placesIn(file);
  const tops = [file.at('models'), file.at('candidates'), ...prices.map(({ value }) => value)];
  const top = tops.find(({ absent }) => !absent);
  const entries = problems.length > 0 ? [] : entriesOf(top ?? file);
  if (!top) return { entries, prices, apart: [], others: [] };
  const apart = qualityMembers(file);
  const used = [...tops, ...apart].map(({ written }) => written);
  const others = file.members().flatMap(([, value]) => (used.includes(value.written) ? [] : value));
  return { entries, prices, apart, others: others.filter(({ isMap }) => isMap) };
}

/** @throws Error that lists the problems, where there are any. */
function refuse(problems: readonly string[]): void {
  const [...all] = new Set(problems);
  const more = all.splice(MOST_PROBLEMS).length;
  if (more > 0) all.push(`and ${more} more problems`);
  if (all.length > 0) throw new Error(all.join('\n'));
}

/** Where the file says nothing, something else has been believed. */
function unsaidNotes(
  unsaid: readonly string[],
  models: readonly EvaluatedModel[],
  shipped: QualityPrior,
): string[] {
  const [known, unknown] = [
    unsaid.filter((id) => shipped.of(id)),
    unsaid.filter((id) => !shipped.of(id)),
  ];
  // A file that leaves all of them to the table is meant so.
  const isMeant = known.length === models.length;
  return [
    ...(known.length > 0 && !isMeant ? [`quality by the table: ${known.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`quality by the price alone: ${unknown.join(', ')}`] : []),
  ];
}

function entriesOf(top: YamlValue): [string, YamlValue][] {
  if (top.isMap) return top.members().filter(([name, { isMap }]) => isMap || !isUnit(name));
  if (!top.absent && !Array.isArray(top.written)) {
    top.problem('must be a map or a list of models');
    return [];
  }
  return (top.items() ?? []).map((item): [string, YamlValue] => {
    if (!item.isMap) return [item.text() ?? '', item];
    const named = ['name', 'id', 'model'].map((key) => item.at(key)).find(({ absent }) => !absent);
    if (!named) item.problem('needs a name');
    return [named?.text() ?? '', item];
  });
}

function isUnit(name: string): boolean {
  return UNIT_NAMES.includes(name);
}

/** What rows may call it: as the file says, or without the provider in front. */
function namesOf(id: string, entry: YamlValue): string[] {
  const fields = ['outcome', 'alias', 'aliases'].map((field) => entry.at(field));
  const aliases = fields.flatMap((field) =>
    Array.isArray(field.written) ? (field.items() ?? []) : field,
  );
  const names = aliases.flatMap((alias) => (alias.absent ? [] : (alias.text() ?? [])));
  const slash = id.indexOf('/');
  return [id, ...names, ...(slash < 0 ? [] : [id.slice(slash + 1)])];
}

function modelOf(id: string, entry: YamlValue, pricing: Pricing): Model {
  const context = entry.at('context_length').whole(1);
  return {
    id,
    name: id,
    provider: '',
    created: 0,
    listed: true,
    endpoints: ['messages'],
    capabilities: {},
    pricing,
    ...(context !== undefined && { contextLength: context }),
  };
}
