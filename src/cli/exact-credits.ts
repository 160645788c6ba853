import { type Account, type Credits } from '../admin/dto/account.dto.js';
import { type Units } from '../contract/money.js';
import { type Database } from '../database/database.service.js';

/** An account whose money has all of its digits, which a JSON number of the API may not have. */
export interface ExactAccount extends Omit<Account, 'credits'> {
  readonly credits: Readonly<Record<keyof Credits, Units>> | null;
}

/** The same accounts with their money exact. */
export async function exactly(
  database: Database,
  accounts: readonly Pick<Account, keyof Account>[],
): Promise<readonly ExactAccount[]> {
  const ids = accounts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await database.read((kysely) =>
    kysely
      .selectFrom('accounts')
      .select(['id', 'limited', 'balance_units', 'held_units', 'spent_units'])
      .where('id', 'in', ids)
      .execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return accounts.map((account) => {
    const row = byId.get(account.id);
    const credits = row?.limited === 1 ? creditsOf(row) : null;
    return { ...account, credits };
  });
}

function creditsOf(row: {
  readonly balance_units: Units;
  readonly held_units: Units;
  readonly spent_units: Units;
}): Readonly<Record<keyof Credits, Units>> {
  return { balance: row.balance_units, held: row.held_units, spent: row.spent_units };
}
