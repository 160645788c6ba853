import { type Account } from '../admin/dto/account.dto.js';
import { changesIn } from '../admin/settings.js';
import { fieldTable, modelsCell, stateCell } from './cells.js';
import { checkedFields } from './checked-fields.js';
import { type Cell, type Command, Misuse, type Options, type Report } from './command.js';
import { type ExactAccount, exactly } from './exact-credits.js';
import { nextPage, PAGE_OPTIONS, pageAsked } from './page-options.js';
import { type Services } from './services.js';
import { withServices } from './with-services.js';

const SETTINGS: Options = {
  name: { value: 'NAME', description: 'A name to tell it by.' },
  credits: {
    value: 'USD',
    kind: 'usd',
    removable: true,
    description: 'What it may spend; none for no limit.',
  },
  region: {
    value: 'CODE',
    removable: true,
    description: 'Only models that are served there, such as eu.',
  },
  models: {
    value: 'PATTERNS',
    kind: 'list',
    removable: true,
    description: 'The models it may use, such as openai/*,sandbox/*.',
  },
  'rate-limit': {
    value: 'N/s|N/m|N/h',
    removable: true,
    description: 'Requests, in place of the usual limit.',
  },
  'max-concurrent': {
    value: 'N',
    kind: 'number',
    removable: true,
    description: 'Calls that may run at once.',
  },
};

const list: Command = {
  name: 'accounts list',
  summary: 'List the accounts, newest first',
  parameters: [],
  options: PAGE_OPTIONS,
  run: (given, surroundings) =>
    withServices(surroundings, async ({ accounts, database }) => {
      const page = await accounts.list(pageAsked(given));
      const data = await exactly(database, page.data);
      const rows = data.map(({ credits, ...account }): Cell[] => [
        ...[account.id, account.name],
        ...(credits ? [credits.balance, credits.held, credits.spent] : [null, null, null]),
        ...[account.region, modelsCell(account), account.rate_limit, stateCell(account)],
        account.created_at,
      ]);
      return {
        json: { ...page, data },
        blocks: [{ columns: COLUMNS, rows, none: 'There are no accounts.' }],
        ...nextPage(page),
      };
    }),
};

const create: Command = {
  name: 'accounts create',
  summary: 'Make an account',
  parameters: [],
  options: SETTINGS,
  run: async ({ fields }, surroundings) => {
    const { CreateAccountBody } = await import('../admin/dto/account.dto.js');
    const { value } = await checkedFields(CreateAccountBody, fields);
    return withServices(surroundings, async (services) =>
      shown(services, await services.accounts.create(value)),
    );
  },
};

const showOne: Command = {
  name: 'accounts show',
  summary: 'Show an account and its money',
  parameters: ['ACCOUNT'],
  options: {},
  run: ({ parameters: [id = ''] }, surroundings) =>
    withServices(surroundings, async (services) =>
      shown(services, await services.accounts.get(id)),
    ),
};

const update: Command = {
  name: 'accounts update',
  summary: 'Change an account; the value none takes a setting away',
  parameters: ['ACCOUNT'],
  options: {
    ...SETTINGS,
    disable: { description: 'Refuse all of its keys.' },
    enable: { description: 'Accept its keys again.' },
  },
  run: async ({ parameters: [id = ''], fields, switches }, surroundings) => {
    if (switches.size > 1) throw new Misuse('--disable and --enable exclude each other');
    const disabled = switches.size > 0 ? { disabled: switches.has('disable') } : {};
    const given = { ...fields, ...disabled };
    if (Object.keys(given).length === 0)
      throw new Misuse('accounts update needs something to change');
    const { ChangeAccountBody } = await import('../admin/dto/account.dto.js');
    const changes = changesIn(await checkedFields(ChangeAccountBody, given));
    return withServices(surroundings, async (services) =>
      shown(services, await services.accounts.change(id, changes)),
    );
  },
};

/** Everything about accounts. */
export const ACCOUNTS: readonly Command[] = [list, create, showOne, update];

const COLUMNS = [
  ...['ID', 'NAME', 'BALANCE', 'HELD', 'SPENT', 'REGION', 'MODELS', 'RATE LIMIT', 'STATE'],
  'CREATED',
];

async function shown({ database }: Services, account: Account): Promise<Report> {
  const [json = account] = await exactly(database, [account]);
  const { credits } = json as ExactAccount;
  const table = fieldTable([
    ['id', account.id],
    ['name', account.name],
    ['balance', credits ? credits.balance : 'no limit'],
    ['held', credits && credits.held],
    ['spent', credits && credits.spent],
    ['region', account.region],
    ['models', modelsCell(account)],
    ['rate_limit', account.rate_limit],
    ['max_concurrent', account.max_concurrent ?? null],
    ['state', stateCell(account)],
    ['created_at', account.created_at],
  ]);
  return { json, blocks: [table] };
}
