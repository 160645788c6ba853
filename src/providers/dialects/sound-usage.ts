import { tokenCount } from '../../contract/usage.js';
import { type Fields, isObject } from '../../json/values.js';

/** Whether every count in a usage is one; what is no count by its name is nobody's concern. */
export function isSound(usage: unknown): boolean {
  if (Array.isArray(usage)) return usage.every(isSound);
  if (!isObject(usage)) return true;
  return Object.entries(usage).every(([name, value]) => isSound(value) && !isWrong(name, value));
}

/** A usage with 0 in place of each count that is none; one of nothing for what is no usage at all. */
export function soundUsage(usage: unknown): Fields {
  return isObject(usage) ? (corrected(usage) as Fields) : { input_tokens: 0, output_tokens: 0 };
}

function corrected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(corrected);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isWrong(name, inner) ? 0 : corrected(inner),
    ]),
  );
}

/** Counts of tokens, and of what a provider's own tools were asked. */
const COUNT = /(tokens|requests)$/;

function isWrong(name: string, value: unknown): boolean {
  const isCounted = COUNT.test(name) && value !== null && typeof value !== 'object';
  return isCounted && tokenCount(value) === undefined;
}
