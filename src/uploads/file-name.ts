import { GatewayError } from '../contract/gateway-error.js';
import { codePoints } from '../json/code-points.js';

/**
 * The name of a file as it may be shown and stored; it is never part of a path.
 *
 * @throws GatewayError 400 for a name that is none, or that only an attacker would give.
 */
export function checkedFileName(name: string): string {
  const reason = reasonAgainst(name);
  if (reason === undefined) return name;
  throw new GatewayError(400, 'invalid_value', `The name of the file ${reason}.`);
}

const MOST_CHARACTERS = 255;

function reasonAgainst(name: string): string | undefined {
  if (name.trim() === '') return 'is empty';
  if (codePoints(name) > MOST_CHARACTERS) return `is longer than ${MOST_CHARACTERS} characters`;
  if (/[/\\]/.test(name) || name === '.' || name === '..') return 'is a path';
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'has control characters';
  return name.isWellFormed() && !name.includes('\ufffd') ? undefined : 'is not UTF-8';
}
