import { timeSliced } from './time-sliced.js';

/** UTF-16 units that are written in one step; what is not longer is written at once. */
const STEP = 65_536;
/** About what a number or a literal takes, with its key. */
const MEMBER = 16;

/** What nests deeper is written at once, because each level costs time; parts are never there. */
const DEEPEST = 128;

/** JSON text, and what stands in it between quotes that is not written yet. */
export type Written<Part> = readonly (Buffer | Part)[];

/** Whether a value is written by the caller itself, as the inside of a text. */
export type IsPart<Part> = (value: object) => value is object & Part;

/** What `JSON.stringify` makes of a value, in pieces; of a large one in time slices. */
export function written<Part = never>(
  value: object,
  isPart: IsPart<Part> = isNothing,
): Written<Part> | Promise<Written<Part>> {
  const long = new Set<object>();
  if (sizeOf(value, isPart, long) <= STEP) return [Buffer.from(JSON.stringify(value))];
  return timeSliced(new Writer(isPart, long).all(value));
}

/** No value is a part. */
function isNothing(value: unknown): value is never {
  return value === undefined;
}

class Writer<Part> {
  private readonly pieces: (Buffer | Part)[] = [];
  private text = '';

  /** @param long is what `sizeOf` has found to be long by itself, so that it is looked into once. */
  constructor(
    private readonly isPart: IsPart<Part>,
    private readonly long: Set<object>,
  ) {}

  *all(value: object): Generator<void, Written<Part>> {
    yield* this.write(value, 0);
    this.flush();
    return this.pieces;
  }

  private *write(value: unknown, depth: number): Generator<void> {
    const isWhole = depth > DEEPEST || sizeOf(value, this.isPart, this.long) <= STEP;
    if (isWhole) this.text += JSON.stringify(value ?? null);
    else if (typeof value === 'string') yield* this.longText(value);
    else if (Array.isArray(value)) yield* this.array(value, depth + 1);
    else yield* this.object(value as object, depth + 1);
    if (this.text.length < STEP) return;
    this.flush();
    yield;
  }

  private *array(elements: readonly unknown[], depth: number): Generator<void> {
    let mark = '[';
    for (const element of elements) {
      this.text += mark;
      mark = ',';
      yield* this.write(element, depth);
    }
    this.text += ']';
  }

  private *object(value: object, depth: number): Generator<void> {
    if (this.isPart(value)) {
      this.text += '"';
      this.flush();
      this.pieces.push(value);
      this.text = '"';
      return;
    }
    let mark = '{';
    for (const [key, member] of Object.entries(value) as [string, unknown][]) {
      if (member === undefined) continue;
      this.text += `${mark}${JSON.stringify(key)}:`;
      mark = ',';
      yield* this.write(member, depth);
    }
    this.text += mark === '{' ? '{}' : '}';
  }

  private *longText(text: string): Generator<void> {
    this.text += '"';
    this.flush();
    for (let from = 0; from < text.length;) {
      const to = from + STEP - (isFirstOfPair(text.charCodeAt(from + STEP - 1)) ? 1 : 0);
      const quoted = Buffer.from(JSON.stringify(text.slice(from, to)));
      this.pieces.push(quoted.subarray(1, -1));
      from = to;
      yield;
    }
    this.text = '"';
  }

  private flush(): void {
    if (this.text === '') return;
    this.pieces.push(Buffer.from(this.text));
    this.text = '';
  }
}

/**
 * About how long the text is; a part, which takes a piece of its own, is longer than anything.
 *
 * @param long remembers objects and arrays of so many members that they are, for those around them:
 * to list the members of such an object takes long.
 */
function sizeOf<Part>(value: unknown, isPart: IsPart<Part>, long: Set<object>): number {
  let size = 0;
  // Not by recursion, which ends where a provider nests its answer too deep.
  const left: unknown[] = [value];
  while (left.length > 0 && size <= STEP) {
    const next = left.pop();
    size += MEMBER;
    if (typeof next === 'string') size += next.length;
    if (typeof next !== 'object' || next === null) continue;
    if (isPart(next) || long.has(next)) return Infinity;
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    // Each takes as much at least.
    if (size + MEMBER * (left.length + members.length) > STEP) {
      if (MEMBER * members.length > STEP) long.add(next);
      return Infinity;
    }
    left.push(...members);
  }
  return size;
}

function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
