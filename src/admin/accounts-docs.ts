import { GatewayError } from '../contract/gateway-error.js';
import { BODY_ERRORS, MALFORMED, managed, unknown, WRONG_PAGE } from './api-managed.js';
import { Account, AccountList } from './dto/account.dto.js';
import { LedgerEntryObject, LedgerList } from './dto/grant.dto.js';

const account = {
  id: 'acc_5d2a9c0e7b4f4e1a8c3d6b20',
  name: 'Research',
  credits: { balance: 25, held: 0, spent: 0 },
  region: null,
  models: ['openai/*', 'sandbox/*'],
  rate_limit: '100/s',
  created_at: '2026-11-20T12:00:00.000Z',
  disabled: false,
};
const grant = {
  id: '019aa1b2-c3d4-7000-8000-5d2a9c0e7b4f',
  type: 'grant',
  amount: 25,
  request_id: null,
  note: 'Budget of November',
  created_at: '2026-11-20T12:00:00.000Z',
};
const charge = {
  ...grant,
  id: '019aa1b2-d4e5-7000-8000-0e7b4f4e1a8c',
  type: 'charge',
  amount: -0.0042,
  request_id: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58',
  note: null,
};
const NO_ACCOUNT = unknown('account', 'acc_nope');

/** `POST /v3/admin/accounts` */
export const CREATE_ACCOUNT = managed({
  operationId: 'createAccount',
  summary: 'Make an account',
  description: 'A tenant with money, limits and keys of its own.',
  requests: {
    limited: { name: 'Research', credits: 25, models: ['openai/*', 'sandbox/*'] },
    'without-limits': { name: 'Operations' },
  },
  answer: { description: 'The account.', type: Account, examples: { account } },
  errors: BODY_ERRORS,
});

/** `GET /v3/admin/accounts` */
export const LIST_ACCOUNTS = managed({
  operationId: 'listAccounts',
  summary: 'List the accounts',
  description: 'Every account, newest first and page by page.',
  answer: {
    description: 'A page of accounts.',
    type: AccountList,
    examples: { page: { data: [account], next_cursor: null } },
  },
  errors: [WRONG_PAGE],
});

/** `GET /v3/admin/accounts/{id}` */
export const GET_ACCOUNT = managed({
  operationId: 'getAccount',
  summary: 'Get an account',
  description: 'One account with its money.',
  answer: { description: 'The account.', type: Account, examples: { account } },
  errors: [MALFORMED, NO_ACCOUNT],
});

/** `PATCH /v3/admin/accounts/{id}` */
export const CHANGE_ACCOUNT = managed({
  operationId: 'changeAccount',
  summary: 'Change an account',
  description: `Sets what is named and leaves the rest; null takes a setting away. It holds in this process at
once and in every other one within five seconds.`,
  requests: {
    rename: { name: 'Research' },
    'lift-the-limits': { credits: null, rate_limit: null, models: null },
  },
  answer: { description: 'The account.', type: Account, examples: { account } },
  errors: [...BODY_ERRORS, NO_ACCOUNT],
});

/** `POST /v3/admin/accounts/{id}/credits` */
export const GRANT_CREDITS = managed({
  operationId: 'grantCredits',
  summary: 'Grant credit, or take it back',
  description: `Books an amount. At most 1,000,000 USD at once and 9,000,000 USD in all; what is taken back has to
be there. An account without limit has credits from its first grant on.`,
  sends: {
    'Idempotency-Key': {
      description: `At most 255 characters. The same key and the same body again get the same entry, and nothing is
granted twice; with another body it is a 409.`,
    },
  },
  requests: { grant: { amount: 25, note: 'Budget of November' } },
  answer: {
    description: 'The entry in the ledger.',
    type: LedgerEntryObject,
    examples: { grant },
  },
  errors: [
    ...BODY_ERRORS,
    NO_ACCOUNT,
    new GatewayError(409, 'invalid_request', 'This idempotency key was used for another grant.', {
      param: 'Idempotency-Key',
    }),
  ],
});

/** `GET /v3/admin/accounts/{id}/ledger` */
export const LIST_LEDGER = managed({
  operationId: 'listLedger',
  summary: 'List the changes of an account’s credit',
  description: 'Newest first and page by page. With nothing held, the amounts sum to the balance.',
  answer: {
    description: 'A page of the ledger.',
    type: LedgerList,
    examples: { page: { data: [charge, grant], next_cursor: null } },
  },
  errors: [WRONG_PAGE, NO_ACCOUNT],
});
