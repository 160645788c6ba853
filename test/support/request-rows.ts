import { type INestApplicationContext } from '@nestjs/common';
import { Database } from '../../src/database/database.service.js';
import { until } from './until.js';

/** A gateway in this process, whose database can be asked. */
interface Gateway {
  readonly app: INestApplicationContext;
}

/** The usage records of a request, as they are in the database; none until it is settled. */
export function requestRows({ app }: Gateway, id: string) {
  return app
    .get(Database)
    .read((kysely) =>
      kysely.selectFrom('requests').selectAll().where('request_id', '=', id).execute(),
    );
}

/**
 * The one usage record of a request, waited for: a caller who has left learns of no moment at which it is
 * there.
 *
 * @throws Error where there is none in fifteen seconds, or more than one.
 */
export async function requestRow(gateway: Gateway, id: string) {
  let rows: Awaited<ReturnType<typeof requestRows>> = [];
  await until(async () => {
    rows = await requestRows(gateway, id);
    return rows.length > 0;
  });
  if (rows.length > 1) throw new Error(`${rows.length} records of ${id}`);
  return rows[0]!;
}
