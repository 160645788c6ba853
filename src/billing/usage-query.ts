import { invalidValue } from '../http/parameter-error.js';
import { Query } from '../http/query.js';
import { type Group } from './usage-groups.js';
import { type ReportQuery } from './usage-report.service.js';
import { type RequestFilter } from './request-filter.js';

/** The query parameters that say which requests are meant, and what they are. */
export const FILTERS = {
  account_id: 'Only of this account.',
  key_id: 'Only of this key.',
  model: 'Only those that this model served or was the last to try.',
  provider: 'Only of this provider.',
} as const;
/** The name of one of them. */
export type FilterName = keyof typeof FILTERS;
/** All of them: those of the management. */
export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[];

/** Reads the parameters of a report. @throws GatewayError 400 when one is wrong. */
export function reportQuery(
  query: object,
  groups: readonly Group[],
  filters: readonly FilterName[],
): ReportQuery {
  const read = new Query(query, ['from', 'to', 'group_by', ...filters]);
  return { ...filterOf(read), groupBy: read.someOf('group_by', groups) };
}

/** The filter that a query holds. @throws GatewayError 400 when a parameter is wrong. */
export function filterOf(read: Query): RequestFilter {
  const [from, to] = [read.moment('from'), read.moment('to')];
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidValue('to', 'expected a moment after from');
  }
  return {
    from,
    to,
    accountId: read.text('account_id'),
    keyId: read.text('key_id'),
    model: read.text('model'),
    provider: read.text('provider'),
  };
}
