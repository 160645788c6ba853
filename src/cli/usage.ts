import { type RequestLogRow } from '../billing/dto/request-log.dto.js';
import { type UsageRow } from '../billing/dto/usage-report.dto.js';
import { GROUPS } from '../billing/usage-groups.js';
import { unitsOfUsd } from '../contract/money.js';
import { OUTCOMES } from '../contract/usage-record.js';
import { fieldTable } from './cells.js';
import { type Cell, type Command, type Options } from './command.js';
import { nextPage, PAGE_OPTIONS } from './page-options.js';
import { withServices } from './with-services.js';

const FILTERS: Options = {
  from: { value: 'TIME', description: 'From then on: ISO 8601 or Unix seconds.' },
  to: { value: 'TIME', description: 'Before then.' },
  'account-id': { value: 'ACCOUNT', description: 'Only of this account.' },
  'key-id': { value: 'KEY', description: 'Only of this key.' },
  model: { value: 'MODEL', description: 'Only of this model.' },
  provider: { value: 'PROVIDER', description: 'Only of this provider.' },
};

const report: Command = {
  name: 'usage report',
  summary: 'Sum up what was used, by default in the last 30 days',
  parameters: [],
  options: {
    'group-by': { value: 'GROUPS', description: `One or more of ${GROUPS.join(',')}.` },
    ...FILTERS,
  },
  run: ({ fields }, surroundings) =>
    withServices(surroundings, async ({ reports }) => {
      const { data } = await reports.usage(fields);
      const exact = data.map(exactSum);
      const groups = GROUPS.filter((group) => data.some((row) => group in row));
      const rows = exact.map((row): Cell[] => [
        ...groups.map((group) => row[group] ?? null),
        ...[row.requests, row.errors, row.input_tokens, row.output_tokens],
        ...[row.cost, row.p50_ms, row.p95_ms],
      ]);
      const columns = [...groups.map((group) => group.toUpperCase()), ...SUMS];
      return {
        json: { data: exact },
        blocks: [{ columns, rows, none: 'Nothing was used.' }],
      };
    }),
};

const requests: Command = {
  name: 'usage requests',
  summary: 'List the requests, newest first',
  parameters: [],
  options: {
    ...FILTERS,
    outcome: { value: 'OUTCOME', description: `One of ${OUTCOMES.join(', ')}.` },
    user: { value: 'USER', description: 'Only those that were for this user.' },
    ...PAGE_OPTIONS,
  },
  run: ({ fields }, surroundings) =>
    withServices(surroundings, async ({ reports }) => {
      const page = await reports.requests(fields);
      const data = page.data.map(exactRow);
      const rows = data.map((row): Cell[] => [
        ...[row.created_at, row.account_id, row.endpoint, row.model ?? row.requested_model],
        ...[row.status, row.outcome, row.input_tokens, row.output_tokens],
        ...[row.cost, row.duration_ms, row.request_id],
      ]);
      return {
        json: { ...page, data },
        blocks: [{ columns: LOG, rows, none: 'There are no such requests.' }],
        ...nextPage(page),
      };
    }),
};

const request: Command = {
  name: 'usage request',
  summary: 'Show one request by the x-request-id of its answer',
  parameters: ['REQUEST'],
  options: {},
  run: ({ parameters: [id = ''] }, surroundings) =>
    withServices(surroundings, async ({ reports }) => {
      const json = exactRow(await reports.request(id));
      const rows = Object.entries(json).map(([name, value]) => [name, cellOf(value)] as const);
      return { json, blocks: [fieldTable(rows)] };
    }),
};

/** Everything about what was used. */
export const USAGE: readonly Command[] = [report, requests, request];

const SUMS = ['REQUESTS', 'ERRORS', 'INPUT', 'OUTPUT', 'COST', 'P50 MS', 'P95 MS'];
const LOG = [
  ...['TIME', 'ACCOUNT', 'ENDPOINT', 'MODEL', 'STATUS', 'OUTCOME', 'INPUT', 'OUTPUT', 'COST'],
  ...['MS', 'REQUEST'],
];

function exactSum(row: Pick<UsageRow, keyof UsageRow>) {
  return { ...row, cost: unitsOfUsd(row.cost) };
}

function exactRow({ cost, uncollected, ...row }: RequestLogRow) {
  return {
    ...row,
    cost: unitsOfUsd(cost),
    ...(uncollected !== undefined && { uncollected: unitsOfUsd(uncollected) }),
  };
}

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === 'bigint' || typeof value === 'number') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
