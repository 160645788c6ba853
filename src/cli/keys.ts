import { type Key, type KeyObject, type NewKey } from '../admin/dto/key.dto.js';
import { unitsOfUsd, usdDecimal } from '../contract/money.js';
import { fieldTable, modelsCell, stateCell } from './cells.js';
import { checkedFields } from './checked-fields.js';
import { type Cell, type Command, type Report, type Table } from './command.js';
import { nextPage, PAGE_OPTIONS, pageAsked } from './page-options.js';
import { withServices } from './with-services.js';

const list: Command = {
  name: 'keys list',
  summary: 'List the keys of an account, newest first',
  parameters: ['ACCOUNT'],
  options: PAGE_OPTIONS,
  run: (given, surroundings) =>
    withServices(surroundings, async ({ keys }) => {
      const page = await keys.list(given.parameters[0] ?? '', pageAsked(given));
      const rows = page.data.map((key): Cell[] => [
        ...[key.id, key.prefix, key.name, key.type, key.scopes.join(','), modelsCell(key)],
        ...[limits(key), key.expires_at, stateCell(key), key.created_at],
      ]);
      const none = 'The account has no keys.';
      return {
        json: { ...page, data: page.data.map(exact) },
        blocks: [{ columns: COLUMNS, rows, none }],
        ...nextPage(page),
      };
    }),
};

const create: Command = {
  name: 'keys create',
  summary: 'Make a key and show it, this once',
  parameters: ['ACCOUNT'],
  options: {
    name: { value: 'NAME', description: 'A name to tell it by.' },
    type: { value: 'live|sandbox', description: 'A sandbox key is answered by the sandbox only.' },
    scopes: {
      value: 'inference|admin',
      kind: 'list',
      description: 'What it is for: calls to models (by default), or management.',
    },
    models: { value: 'PATTERNS', kind: 'list', description: 'The models it may use.' },
    'expires-at': { value: 'TIME', description: 'When it ends, in ISO 8601 or Unix seconds.' },
    'rate-limit': { value: 'N/s|N/m|N/h', description: 'Requests, beside its account’s limit.' },
    'tokens-per-minute': { value: 'N', kind: 'number', description: 'Tokens it may use a minute.' },
    'max-concurrent': { value: 'N', kind: 'number', description: 'Calls that may run at once.' },
    'spend-limit': {
      value: 'USD/day|week|month|total',
      kind: 'spend-limit',
      description: 'What it may spend in a window (UTC).',
    },
  },
  run: async ({ parameters: [account = ''], fields }, surroundings) => {
    const { CreateKeyBody } = await import('../admin/dto/key.dto.js');
    const { value } = await checkedFields(CreateKeyBody, fields);
    return withServices(surroundings, async ({ keys }) => shown(await keys.create(account, value)));
  },
};

const revoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke a key for good; gateways refuse it within five seconds',
  parameters: ['KEY'],
  options: {},
  run: ({ parameters: [id = ''] }, surroundings) =>
    withServices(surroundings, async ({ keys }) => {
      const key = await keys.revoke(id);
      return { json: exact(key), blocks: [fieldsOf(key)] };
    }),
};

const rotate: Command = {
  name: 'keys rotate',
  summary: 'Make a key like another one, which ends after an overlap, and show it, this once',
  parameters: ['KEY'],
  options: {
    'overlap-seconds': {
      value: 'N',
      kind: 'number',
      description: 'How long the old key is still good; 3600 by default.',
    },
  },
  run: async ({ parameters: [id = ''], fields }, surroundings) => {
    const { RotateKeyBody } = await import('../admin/dto/key.dto.js');
    const { value } = await checkedFields(RotateKeyBody, fields);
    return withServices(surroundings, async ({ keys }) => shown(await keys.rotate(id, value)));
  },
};

/** Everything about keys. */
export const KEYS: readonly Command[] = [list, create, revoke, rotate];

const COLUMNS = [
  ...['ID', 'PREFIX', 'NAME', 'TYPE', 'SCOPES', 'MODELS', 'LIMITS', 'EXPIRES', 'STATE'],
  'CREATED',
];

function shown(key: NewKey): Report {
  const lines = ['', `The key, shown only this once: ${key.key}`];
  return { json: exact(key), blocks: [fieldsOf(key), ...lines] };
}

function fieldsOf(key: Key): Table {
  return fieldTable([
    ['id', key.id],
    ['name', key.name],
    ['type', key.type],
    ['scopes', key.scopes.join(',')],
    ['models', modelsCell(key)],
    ['limits', limits(key)],
    ['expires_at', key.expires_at],
    ['state', stateCell(key)],
    ['created_at', key.created_at],
  ]);
}

function limits(key: Key): string | null {
  const { spend_limit: spend } = key;
  const all = [
    key.rate_limit,
    key.tokens_per_minute === null ? null : `${key.tokens_per_minute} tokens/m`,
    key.max_concurrent === null ? null : `${key.max_concurrent} at once`,
    spend && `${usdDecimal(unitsOfUsd(spend.amount))} USD/${spend.per}`,
  ];
  return all.filter((limit) => limit !== null).join(', ') || null;
}

/** The key with its spend limit as money. */
function exact(key: KeyObject): object {
  const { spend_limit: spend } = key;
  return { ...key, spend_limit: spend && { amount: unitsOfUsd(spend.amount), per: spend.per } };
}
