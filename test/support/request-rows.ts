import { type INestApplicationContext } from '@nestjs/common';
import { Database } from '../../src/database/database.service.js';

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

/** The one usage record of a request. @throws Error where there is none, or more than one. */
export async function requestRow(gateway: Gateway, id: string) {
  const [row, ...others] = await requestRows(gateway, id);
  if (!row || others.length > 0) throw new Error(`${row ? others.length + 1 : 0} records of ${id}`);
  return row;
}
