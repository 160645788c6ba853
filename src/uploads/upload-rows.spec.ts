import { expect, it } from '@jest/globals';
import { CompiledQuery } from 'kysely';
import { temporaryDirectory } from '../../test/support/databases.js';
import { open } from '../../test/support/open-database.js';
import { visibleTo } from './upload-rows.js';

it("visibleTo goes through the account's own files, in order, and through nobody else's", async () => {
  const database = await open({ DATA_DIR: temporaryDirectory() });
  const plans = await database.read(async (kysely) => {
    const visible = visibleTo(kysely, 'a', 1);
    const queries = [
      visible.select(({ fn }) => fn.countAll<number>().as('total')),
      visible.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(9),
    ];
    const explained = queries.map((query) => {
      const { sql, parameters } = query.compile();
      const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
      return kysely.executeQuery<{ detail: string }>(plan);
    });
    return Promise.all(explained);
  });
  expect(plans.flatMap(({ rows }) => rows.map(({ detail }) => detail))).toEqual([
    'SEARCH uploads USING COVERING INDEX uploads_in_order (account_id=? AND state=?)',
    'SEARCH uploads USING INDEX uploads_in_order (account_id=? AND state=?)',
  ]);
});
