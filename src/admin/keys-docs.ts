import { GatewayError } from '../contract/gateway-error.js';
import { BODY_ERRORS, MALFORMED, managed, unknown, WRONG_PAGE } from './api-managed.js';
import { Key, KeyList, NewKey } from './dto/key.dto.js';

const key = {
  id: 'key_0a1b2c3d4e5f60718293a4b5',
  prefix: 'cw_live_q7Xd',
  name: 'Laptop',
  type: 'live',
  scopes: ['inference'],
  models: ['sandbox/*'],
  rate_limit: null,
  tokens_per_minute: 100_000,
  max_concurrent: null,
  spend_limit: { amount: 5, per: 'day' },
  expires_at: '2027-11-20T00:00:00.000Z',
  created_at: '2026-11-20T12:00:00.000Z',
  disabled: false,
};
const fresh = { ...key, key: 'cw_live_q7Xd0Vn6m1hVJ8yU2kT3bPz4sC5dE6fG7hI8jK9lM0n' };
const NO_KEY = unknown('key', 'key_nope');
const NO_ACCOUNT = unknown('account', 'acc_nope');

/** `POST /v3/admin/accounts/{id}/keys` */
export const CREATE_KEY = managed({
  operationId: 'createKey',
  summary: 'Make a key',
  description: 'Its text is in this answer only. It cannot be allowed more than its account is.',
  requests: {
    plain: { name: 'Laptop' },
    narrow: {
      name: 'Laptop',
      models: ['sandbox/*'],
      tokens_per_minute: 100_000,
      spend_limit: { amount: 5, per: 'day' },
    },
    sandbox: { name: 'Tests', type: 'sandbox' },
    administrator: { name: 'Operations', scopes: ['admin'] },
  },
  answer: { description: 'The key with its text.', type: NewKey, examples: { key: fresh } },
  errors: [...BODY_ERRORS, NO_ACCOUNT],
});

/** `GET /v3/admin/accounts/{id}/keys` */
export const LIST_KEYS = managed({
  operationId: 'listKeys',
  summary: 'List the keys of an account',
  description: 'Newest first and page by page; those that were revoked are gone.',
  answer: {
    description: 'A page of keys.',
    type: KeyList,
    examples: { page: { data: [key], next_cursor: null } },
  },
  errors: [WRONG_PAGE, NO_ACCOUNT],
});

/** `PATCH /v3/admin/keys/{id}` */
export const CHANGE_KEY = managed({
  operationId: 'changeKey',
  summary: 'Change a key',
  description: `Sets what is named and leaves the rest; null takes a setting away. It holds in this process at
once and in every other one within five seconds.`,
  requests: { rename: { name: 'Laptop' }, 'lift-the-limits': { spend_limit: null, models: null } },
  answer: { description: 'The key.', type: Key, examples: { key } },
  errors: [...BODY_ERRORS, NO_KEY],
});

/** `DELETE /v3/admin/keys/{id}` */
export const REVOKE_KEY = managed({
  operationId: 'revokeKey',
  summary: 'Revoke a key',
  description:
    'For good. It is refused in this process at once, in every other one within 5 seconds.',
  answer: {
    description: 'The key as it was.',
    type: Key,
    examples: { key: { ...key, disabled: true } },
  },
  errors: [MALFORMED, NO_KEY],
});

/** `POST /v3/admin/keys/{id}/rotate` */
export const ROTATE_KEY = managed({
  operationId: 'rotateKey',
  summary: 'Replace a key',
  description: `A new key with the same settings; the old one is good for the overlap. Both spend from one
limit. Its end is among the settings: to replace a key that was lost, rotate the new one, not the old one again.`,
  requests: { hour: { overlap_seconds: 3600 } },
  answer: { description: 'The new key with its text.', type: NewKey, examples: { key: fresh } },
  errors: [
    new GatewayError(400, 'invalid_value', "Invalid 'id': the key has expired.", { param: 'id' }),
    ...BODY_ERRORS,
    NO_KEY,
  ],
});
