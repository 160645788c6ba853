import { invalidQuery } from './query.js';

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/** The page that starts a list of rows, of which one more than `limit` was fetched if there is one. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  { placeOf, show }: { placeOf: (row: Row) => string; show: (row: Row) => T },
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    data: shown.map(show),
    next_cursor: more ? cursorAt(placeOf(last)) : null,
  };
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
  throw invalidQuery('cursor', 'expected a next_cursor of this list');
}
