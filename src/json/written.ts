import { timeSliced } from './time-sliced.js';

/** UTF-16 units that are written in one step; what is not longer is written at once. */
const STEP = 65_536;
/** About what a number or a literal takes. */
const SCALAR = 8;

/** JSON text, and what stands in it between quotes that is not written yet. */
export type Written<Part> = readonly (Buffer | Part)[];

/** Whether a value is written by the caller itself, as the inside of a text. */
export type IsPart<Part> = (value: object) => value is object & Part;

/** What `JSON.stringify` makes of a value, in pieces; of a large one in time slices. */
export function written<Part = never>(
  value: object,
  isPart: IsPart<Part> = isNothing,
): Written<Part> | Promise<Written<Part>> {
  if (sizeOf(value, isPart) <= STEP) return [Buffer.from(JSON.stringify(value))];
  return timeSliced(new Writer(isPart).all(value));
}

/** No value is a part. */
function isNothing(value: unknown): value is never {
  return value === undefined;
}

class Writer<Part> {
  private readonly pieces: (Buffer | Part)[] = [];
  private text = '';

  constructor(private readonly isPart: IsPart<Part>) {}

  *all(value: object): Generator<void, Written<Part>> {
    yield* this.write(value);
    this.flush();
    return this.pieces;
  }

  private *write(value: unknown): Generator<void> {
    if (sizeOf(value, this.isPart) <= STEP) this.text += JSON.stringify(value ?? null);
    else if (typeof value === 'string') yield* this.long(value);
    else if (Array.isArray(value)) yield* this.array(value);
    else yield* this.object(value as object);
    if (this.text.length < STEP) return;
    this.flush();
    yield;
  }

  private *array(elements: readonly unknown[]): Generator<void> {
    let mark = '[';
    for (const element of elements) {
      this.text += mark;
      mark = ',';
      yield* this.write(element);
    }
    this.text += ']';
  }

  private *object(value: object): Generator<void> {
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
      yield* this.write(member);
    }
    this.text += mark === '{' ? '{}' : '}';
  }

  private *long(text: string): Generator<void> {
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
    this.pieces.push(Buffer.from(this.text));
    this.text = '';
  }
}

/** About how long the text is; a part, which takes a piece of its own, is longer than anything. */
function sizeOf<Part>(value: unknown, isPart: IsPart<Part>): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SCALAR;
  if (isPart(value)) return Infinity;
  let size = SCALAR;
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    size += SCALAR + sizeOf(member, isPart);
    if (size > STEP) break;
  }
  return size;
}

function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
