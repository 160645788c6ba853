import { type Kysely, type SelectQueryBuilder } from 'kysely';
import { type Database } from '../database/database.service.js';
import { type Tables } from '../database/tables.js';
import { type Page, placeOf, readPage } from '../http/page.js';
import { type PageQuery } from '../http/query.js';

/** The tables that are listed so. */
type Listed = 'accounts' | 'api_keys';

/**
 * A page of the rows that a query finds, newest first.
 *
 * @param show gives a row as it is shown.
 * @throws GatewayError 400 for a cursor of another list.
 */
export function newestFirst<Row extends { readonly id: string; readonly created_at: number }, T>(
  database: Database,
  { limit, cursor }: PageQuery,
  find: (kysely: Kysely<Tables>) => SelectQueryBuilder<Tables, Listed, Row>,
  show: (row: Row) => T,
): Promise<Page<T>> {
  const begin = placeOf(cursor, PLACE);
  return database.read((kysely) => {
    const read = (place: string | undefined, count: number): Promise<readonly Row[]> => {
      const [created, id] = place?.split(' ') ?? [];
      return find(kysely)
        .$if(id !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(Number(created), id ?? '')),
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(count)
        .execute();
    };
    const rowPlace = (row: Row): string => `${row.created_at} ${row.id}`;
    return readPage(limit, begin, { read, placeOf: rowPlace, show });
  });
}

const PLACE = /^\d{1,15} [\w-]{1,64}$/;
