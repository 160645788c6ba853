import { type Environment } from './environment.js';

/** The values of the variables that end in a number, by it. */
export function numbered(env: Environment, prefix: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (/^\d+$/.test(number) && value?.trim()) values.set(number, value.trim());
  }
  return values;
}
