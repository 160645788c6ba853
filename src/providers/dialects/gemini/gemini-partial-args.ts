import { listOf } from '../../../json/values.js';
import { brokenAnswer } from '../broken-answer.js';

type Container = Record<string | number, unknown>;

/**
 * Puts pieces of a call's arguments in their places: each names its place by a JSON path, and a text
 * may come in several pieces.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 *
 * @throws GatewayError 502 when a path is none.
 */
export function applyPartialArgs(args: object, wire: unknown): void {
  for (const piece of listOf(wire) as (PartialArg | null)[]) {
    const value = piece && valueOf(piece);
    if (!piece || value === undefined) continue;
    const keys = keysOf(piece.jsonPath);
    const last = keys.pop();
    if (last === undefined) throw brokenPath();
    let holder = args as Container;
    keys.forEach((key, depth) => {
      const next = ownValue(holder, key);
      const fits = typeof next === 'object' && next !== null;
      const made = fits ? next : typeof (keys[depth + 1] ?? last) === 'number' ? [] : {};
      if (!fits) put(holder, key, made);
      holder = made as Container;
    });
    const before = ownValue(holder, last);
    const isMore = typeof value === 'string' && typeof before === 'string';
    put(holder, last, isMore ? before + value : value);
  }
}

interface PartialArg {
  readonly jsonPath?: unknown;
  readonly stringValue?: unknown;
  readonly numberValue?: unknown;
  readonly boolValue?: unknown;
  readonly nullValue?: unknown;
}

function valueOf({ stringValue, numberValue, boolValue, nullValue }: PartialArg): unknown {
  if (nullValue !== undefined) return null;
  return stringValue ?? numberValue ?? boolValue;
}

/** Longer lists than any call's, so that a wild index costs no memory. */
const LONGEST_LIST = 10_000;

function keysOf(path: unknown): (string | number)[] {
  const text = typeof path === 'string' && path.startsWith('$') ? path.slice(1) : '';
  const keys: (string | number)[] = [];
  let at = 0;
  for (const match of text.matchAll(STEP)) {
    if (match.index !== at) throw brokenPath();
    at += match[0].length;
    const [, name, index, quoted = ''] = match;
    if (index !== undefined && Number(index) >= LONGEST_LIST) throw brokenPath();
    keys.push(index === undefined ? (name ?? quoted.replace(/\\(.)/g, '$1')) : Number(index));
  }
  if (at !== text.length) throw brokenPath();
  return keys;
}

/** `.name`, `[0]` or `['name']`. https://datatracker.ietf.org/doc/html/rfc9535 */
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(?:'|")((?:[^'"\\]|\\.)*)(?:'|")\]/g;

function ownValue(holder: Container, key: string | number): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Defined and not assigned, so that `__proto__` is a name like any other. */
function put(holder: Container, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function brokenPath(): Error {
  return brokenAnswer('The provider named no place for a piece of the arguments.');
}
