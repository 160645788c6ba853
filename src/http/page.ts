import { invalidValue } from './parameter-error.js';

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/** How a list is read, and its rows are shown. */
interface List<Row, T> {
  /** Gives so many rows behind a place, or behind none the first ones; fewer when there are no more. */
  readonly read: (place: string | undefined, count: number) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => string;
  readonly show: (row: Row) => T;
}

/**
 * Reads the page of a list that begins behind a place. It ends early where its rows are so long that
 * everybody would wait while it is written.
 */
export async function readPage<Row extends object, T>(
  limit: number,
  begin: string | undefined,
  { read, placeOf, show }: List<Row, T>,
): Promise<Page<T>> {
  const data: T[] = [];
  let characters = 0;
  let place = begin;
  for (;;) {
    const count = Math.min(ROWS_AT_ONCE, limit - data.length);
    const rows = await read(place, count + 1);
    for (const row of rows.slice(0, count)) {
      data.push(show(row));
      characters += charactersOf(row);
      place = placeOf(row);
    }
    if (rows.length <= count) return { data, next_cursor: null };
    if (data.length < limit && characters < MOST_CHARACTERS) continue;
    return { data, next_cursor: cursorAt(place ?? '') };
  }
}

/** A thousand requests have 14 million with the longest metadata, and 200 thousand with none. */
const MOST_CHARACTERS = 4_000_000;
const ROWS_AT_ONCE = 100;

function charactersOf(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}

/** A cursor for a place in a list; nobody but `placeOf` reads it. */
export function cursorAt(place: string): string {
  return Buffer.from(place).toString('base64url');
}

/**
 * The place at which a cursor points; undefined for the beginning.
 *
 * @throws GatewayError 400 when it is no cursor of such a list.
 */
export function placeOf(cursor: string | undefined, form: RegExp): string | undefined {
  if (cursor === undefined) return undefined;
  const place = Buffer.from(cursor, 'base64url').toString();
  if (form.test(place)) return place;
  throw invalidValue('cursor', 'expected a next_cursor of this list');
}
