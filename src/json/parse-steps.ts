import { type Bounds } from './bounds.js';
import { LargeScan } from './large-scan.js';
import { longText } from './long-text.js';
import { PartialValue } from './partial-value.js';
import { type Member, membersAt } from './scan.js';
import { isObject } from './values.js';

/**
 * The value of a text, with the members of the text if that is an object; or what it has too much
 * of; undefined when it is not JSON.
 */
export type Parsed =
  | { readonly value: unknown; readonly members: readonly Member[] | undefined }
  | { readonly tooMuch: keyof Bounds }
  | undefined;

/** Bytes that are looked at, or parsed together, in one step. */
const STEP = 65_536;

/**
 * What `JSON.parse` makes of a large text, in steps of about a millisecond: neighbours are parsed
 * together, and texts that are longer than a step apart from them.
 *
 * @param json has to be UTF-8.
 * @param counted told, as they are passed, how many of `Bounds.parts` there have been.
 */
export function* parseSteps(
  json: Buffer,
  most: Bounds,
  step = STEP,
  counted: (parts: number) => void = () => undefined,
): Generator<void, Parsed> {
  try {
    return yield* parse(json, most, step, counted);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function* parse(
  json: Buffer,
  most: Bounds,
  step: number,
  counted: (parts: number) => void,
): Generator<void, Parsed> {
  const scan = new LargeScan(json, most, step);
  /** What is parsed piece by piece: the outermost of the open containers, from the text itself on. */
  const partial: [PartialValue, ...PartialValue[]] = [new PartialValue(json, 0, false)];
  for (;;) {
    const stop = scan.next(partial.length - 1);
    counted(scan.parts);
    switch (stop) {
      case 'pause':
        yield;
        break;
      case 'cut':
        parseOpen(json, scan, partial);
        yield;
        break;
      case 'long-text': {
        const [start, end] = [scan.textStart, scan.at - 1];
        const inner = parseOpen(json, scan, partial);
        const value = yield* longText(json, { start, end }, step);
        inner.put(value, { start: start - 1, end: end + 1 });
        break;
      }
      case 'closed': {
        const closed = partial.pop();
        const value = closed?.close(scan.at - 1);
        if (closed) partial.at(-1)?.put(value, { start: closed.start - 1, end: scan.at });
        break;
      }
      case 'end': {
        const [value] = partial[0].close(json.length) as unknown[];
        if (value === undefined) return undefined;
        return { value, members: isObject(value) ? membersAt(json, scan.outermost) : undefined };
      }
      case 'depth':
      case 'parts':
      case 'members':
        return { tooMuch: stop };
      case 'broken':
        return undefined;
    }
  }
}

/** Parses all members that have ended, so that none is looked at again. @returns the innermost container. */
function parseOpen(
  json: Buffer,
  scan: LargeScan,
  partial: [PartialValue, ...PartialValue[]],
): PartialValue {
  let [inner] = partial;
  inner.parseTo(scan.members[0] ?? 0);
  for (let depth = 1; depth <= scan.depth; depth++) {
    inner = partial[depth] ??= new PartialValue(
      json,
      scan.starts[depth] ?? 0,
      scan.isObject[depth] ?? false,
    );
    inner.parseTo(scan.members[depth] ?? 0);
  }
  return inner;
}
