import { isObject, isSameList } from '../../json/values.js';

/**
 * Turns, items or tools without the `cache_control` that Anthropic's callers put on them and on their
 * parts, which strict providers refuse: "Extra inputs are not permitted", "Unknown parameter". The same
 * value where there is none; what a schema, or the arguments of a call, name so stays.
 */
export function unmarked(place: unknown): unknown {
  if (Array.isArray(place)) {
    const places: readonly unknown[] = place;
    const left = places.map(unmarked);
    return isSameList(left, places) ? place : left;
  }
  if (!isObject(place)) return place;
  const kept = Object.entries(place)
    .filter(([name]) => name !== 'cache_control')
    .map(([name, value]) => [name, HOLDERS.has(name) ? unmarked(value) : value] as const);
  const isSame =
    !Object.hasOwn(place, 'cache_control') && kept.every(([name, value]) => value === place[name]);
  return isSame ? place : Object.fromEntries(kept);
}

/** Where others stand that may have a mark. */
const HOLDERS: ReadonlySet<string> = new Set([
  'content',
  'output',
  'tool_calls',
  'function',
  'tools',
]);
