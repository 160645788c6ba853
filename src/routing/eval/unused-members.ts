import { type YamlValue } from '../../models/yaml-value.js';
import { numberAt } from './written-number.js';
import { isPrice, placesIn } from './written-price.js';
import { isOfQuality, taskNamed } from './written-quality.js';

const OF_AN_ENTRY = ['name', 'id', 'model', 'outcome', 'alias', 'aliases', 'context_length'];

/**
 * Notes the members of a candidate that look like a price or a quality, being numbers or holding some,
 * and are neither: a name that is misspelt would otherwise go unnoticed.
 */
export function noteUnused(entry: YamlValue): void {
  if (!entry.isMap) return;
  const places = new Set(placesIn(entry).map(({ name }) => name));
  for (const [name, member] of entry.members()) {
    const isUsed =
      OF_AN_ENTRY.includes(name) || places.has(name) || isPrice(name) || isOfQuality(name);
    if (isUsed) continue;
    const isTask = taskNamed(name) !== undefined;
    if (isTask ? isWord(member) : holdsNumbers(member)) member.problem('is not used');
  }
}

/** Of a kind of task, numbers are used, and a flag is likely to say something else. */
function isWord({ written }: YamlValue): boolean {
  return typeof written === 'string' || typeof written === 'object';
}

function holdsNumbers(value: YamlValue): boolean {
  if (!value.isMap) return numberAt(value) !== undefined;
  return value.members().some(([, member]) => numberAt(member) !== undefined);
}
