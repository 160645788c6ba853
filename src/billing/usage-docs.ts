import { GatewayError } from '../contract/gateway-error.js';
import { type RouteDocs } from '../http/api-route.js';
import { type QueryDocs } from '../http/api-query.js';
import { Holder } from './dto/holder.dto.js';
import { UsageReport } from './dto/usage-report.dto.js';
import { type Group } from './usage-groups.js';
import { type FilterName, FILTERS } from './usage-query.js';

const MOMENT = 'in ISO 8601 or Unix seconds';

/** The span that a report or a list is about. */
export const SPAN_QUERIES: Readonly<Record<string, QueryDocs>> = {
  from: { description: `From when on, ${MOMENT}.`, schema: { type: 'string' } },
  to: {
    description: `Until when, ${MOMENT}; that moment is not part of it.`,
    schema: { type: 'string' },
  },
};

/** The filters of that name. */
export function filterQueries(names: readonly FilterName[]): Readonly<Record<string, QueryDocs>> {
  return Object.fromEntries(
    names.map((name) => [name, { description: FILTERS[name], schema: { type: 'string' } }]),
  );
}

/** The groups that a report may have. */
export function groupQuery(groups: readonly Group[]): Readonly<Record<string, QueryDocs>> {
  return {
    group_by: {
      description: `Any of \`${groups.join('`, `')}\`, with commas.`,
      schema: { type: 'string', example: 'day,model' },
    },
  };
}

/** A report of usage, as the documentation shows it. */
export const REPORT_EXAMPLES = {
  'by-day-and-model': {
    data: [
      {
        day: '2026-11-20',
        model: 'sandbox/echo',
        requests: 12,
        errors: 1,
        input_tokens: 340,
        output_tokens: 120,
        cost: 0.00058,
        p50_ms: 4,
        p95_ms: 21,
      },
    ],
  },
};

/** The 400 of a span of time that cannot be read. */
export const WRONG_SPAN = new GatewayError(
  400,
  'invalid_value',
  "Invalid 'from': expected a date in ISO 8601 or Unix seconds.",
  { param: 'from' },
);

/** `GET /v3/usage` */
export const GET_USAGE: RouteDocs = {
  operationId: 'getUsage',
  summary: 'Sum up what your account used',
  description: `Requests, tokens, cost and durations of your account, by default of the last 30 days and as
one sum. The percentiles are exact.`,
  family: 'openai',
  access: 'key',
  answers: { 200: { description: 'The sums.', type: UsageReport, examples: REPORT_EXAMPLES } },
  errors: [WRONG_SPAN],
};

/** `GET /v3/me` */
export const GET_ME: RouteDocs = {
  operationId: 'getMe',
  summary: 'See your account, your key and what is left of its limits',
  description: 'Whom the key that you send belongs to, what may be done with it, and how much.',
  family: 'openai',
  access: 'key',
  answers: {
    200: {
      description: 'Account, key and limits.',
      type: Holder,
      examples: {
        limited: {
          account: { id: 'acc_default', name: 'default', region: null, models: null },
          credits: { balance: 24.5, held: 0, spent: 0.5 },
          key: {
            id: 'key_0a1b2c3d4e5f60718293a4b5',
            name: 'Laptop',
            type: 'live',
            scopes: ['inference'],
            models: ['openai/*'],
            expires_at: null,
          },
          limits: [
            { of: 'account', counts: 'requests', limit: 100, window: 'second', remaining: 99 },
            { of: 'key', counts: 'spend', limit: 5, window: 'day', remaining: 4.5 },
          ],
        },
      },
    },
  },
};
