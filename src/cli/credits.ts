import { type LedgerEntry } from '../billing/ledger.service.js';
import { unitsOfUsd } from '../contract/money.js';
import { isoOf } from '../http/moment.js';
import { cursorAt, type Page, placeOf } from '../http/page.js';
import { checkedFields } from './checked-fields.js';
import { type Cell, type Command } from './command.js';
import { exactly } from './exact-credits.js';
import { nextPage, PAGE_OPTIONS, pageAsked } from './page-options.js';
import { withServices } from './with-services.js';

const grant: Command = {
  name: 'credits grant',
  summary: 'Give an account credit, or take some back',
  parameters: ['ACCOUNT'],
  options: {
    amount: { value: 'USD', kind: 'usd', description: 'How much; a negative amount takes back.' },
    note: { value: 'TEXT', description: 'What it is for.' },
    'idempotency-key': {
      value: 'KEY',
      description: 'The same key with the same grant again grants nothing more.',
    },
  },
  run: async ({ parameters: [account = ''], fields }, surroundings) => {
    const { idempotency_key: key, ...body } = fields as { idempotency_key?: string };
    const { GrantBody } = await import('../admin/dto/grant.dto.js');
    const { value } = await checkedFields(GrantBody, body);
    return withServices(surroundings, async ({ credits }) => {
      const { amount, ...entry } = await credits.grant(account, value, key);
      const json = { ...entry, amount: unitsOfUsd(amount) };
      return { json, blocks: [{ columns: COLUMNS, rows: [rowOf(json)] }] };
    });
  },
};

const ledger: Command = {
  name: 'credits ledger',
  summary: 'List what an account was granted and has spent, newest first',
  parameters: ['ACCOUNT'],
  options: PAGE_OPTIONS,
  run: (given, surroundings) =>
    withServices(surroundings, async ({ accounts, ledger: entries }) => {
      const { id } = await accounts.find(given.parameters[0] ?? '');
      const { limit, cursor } = pageAsked(given);
      const place = placeOf(cursor, /^[\w-]{1,64}$/);
      const found = await entries.entries(id, { limit, ...(place && { cursor: place }) });
      const next = found.next_cursor;
      const page: Page<Entry> = {
        data: found.data.map((entry) => ({ ...entry, created_at: isoOf(entry.created_at) })),
        next_cursor: next === null ? null : cursorAt(next),
      };
      const rows = page.data.map(rowOf);
      const none = 'Nothing was granted or spent.';
      return { json: page, blocks: [{ columns: COLUMNS, rows, none }], ...nextPage(page) };
    }),
};

const balance: Command = {
  name: 'credits balance',
  summary: 'Show what an account may still spend',
  parameters: ['ACCOUNT'],
  options: {},
  run: ({ parameters: [account = ''] }, surroundings) =>
    withServices(surroundings, async ({ accounts, database }) => {
      const [exact] = await exactly(database, [await accounts.get(account)]);
      const { id, name, credits = null } = exact ?? {};
      const columns = ['ACCOUNT', 'BALANCE', 'HELD', 'SPENT'];
      const row: Cell[] = credits
        ? [id ?? account, credits.balance, credits.held, credits.spent]
        : [id ?? account, 'no limit', null, null];
      return { json: { id, name, credits }, blocks: [{ columns, rows: [row] }] };
    }),
};

/** Everything about credits. */
export const CREDITS: readonly Command[] = [grant, ledger, balance];

interface Entry extends Omit<LedgerEntry, 'created_at'> {
  readonly created_at: string;
}

const COLUMNS = ['TIME', 'TYPE', 'AMOUNT', 'REQUEST', 'NOTE', 'ID'];

function rowOf({ created_at: at, type, amount, request_id: request, note, id }: Entry): Cell[] {
  return [at, type, amount, request, note, id];
}
