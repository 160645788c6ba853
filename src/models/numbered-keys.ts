import { CREDENTIAL } from './provider-rows.js';

/** A key, the variable that holds it, and those that are numbered behind it. */
interface NumberedKeys {
  readonly variable: string;
  readonly apiKey: string | undefined;
  readonly moreKeys: ReadonlyMap<string, string>;
}

/**
 * The keys beside the first one, numbered from 2 on. What is wrong is added to `problems`.
 *
 * @param first the key that serves as the first one, whose place another may have taken.
 */
export function numberedKeys(
  { variable, apiKey, moreKeys }: NumberedKeys,
  first: string | undefined,
  problems: string[],
): string[] {
  const variables = new Map([[apiKey, variable]]);
  const keys = [...moreKeys].sort(([one], [other]) => Number(one) - Number(other));
  for (const [index, [number, key]] of keys.entries()) {
    const name = `${variable}_${number}`;
    const before = index === 0 ? variable : `${variable}_${index + 1}`;
    if (number !== String(index + 2)) {
      problems.push(`${name} does not follow ${before}: keys are numbered from 2 without gaps`);
      break;
    }
    if (!CREDENTIAL.test(key)) problems.push(`${name} must be visible ASCII`);
    const same = variables.get(key);
    if (same !== undefined) problems.push(`${name} is the same key as ${same}`);
    variables.set(key, name);
    if (first === undefined) problems.push(`${variable} is needed with ${name}`);
  }
  return keys.map(([, key]) => key);
}
