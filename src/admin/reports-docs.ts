import { RequestLog, RequestLogRow } from '../billing/dto/request-log.dto.js';
import { UsageReport } from '../billing/dto/usage-report.dto.js';
import { filterQueries, REPORT_EXAMPLES, SPAN_QUERIES, WRONG_SPAN } from '../billing/usage-docs.js';
import { OUTCOMES } from '../contract/usage-record.js';
import { type QueryDocs } from '../http/api-query.js';
import { MALFORMED, managed, unknown, WRONG_PAGE } from './api-managed.js';

const row = {
  request_id: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58',
  account_id: 'acc_default',
  key_id: 'key_0a1b2c3d4e5f60718293a4b5',
  endpoint: '/v1/messages',
  requested_model: 'sandbox/echo',
  model: 'sandbox/echo',
  provider: 'sandbox',
  status: 200,
  outcome: 'ok',
  input_tokens: 12,
  output_tokens: 9,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  images: 0,
  cost: 0.00003,
  estimated: false,
  attempts: [{ model: 'sandbox/echo', status: 200, ms: 4 }],
  duration_ms: 6,
  first_byte_ms: null,
  user: 'ann',
  metadata: { team: 'blue' },
  created_at: '2026-11-20T12:00:00.000Z',
};

/** The parameters of the request log, beside those of its page. */
export const REQUEST_QUERIES: Readonly<Record<string, QueryDocs>> = {
  ...SPAN_QUERIES,
  user: { description: 'Only those that were for this user.', schema: { type: 'string' } },
  outcome: {
    description: 'Only those that ended so.',
    schema: { type: 'string', enum: [...OUTCOMES] },
  },
  ...filterQueries(['account_id', 'key_id', 'model', 'provider']),
};

/** `GET /v3/admin/usage` */
export const REPORT_USAGE = managed({
  operationId: 'reportUsage',
  summary: 'Sum up what was used',
  description: `Requests, tokens, cost and durations, by default of the last 30 days and as one sum. The
percentiles are exact.`,
  answer: { description: 'The sums.', type: UsageReport, examples: REPORT_EXAMPLES },
  errors: [WRONG_SPAN],
});

/** `GET /v3/admin/requests` */
export const LIST_REQUESTS = managed({
  operationId: 'listRequests',
  summary: 'List the requests',
  description: 'The request log, newest first and page by page. It holds nothing of what was said.',
  answer: {
    description: 'A page of the request log.',
    type: RequestLog,
    examples: { page: { data: [row], next_cursor: null } },
  },
  errors: [WRONG_PAGE],
});

/** `GET /v3/admin/requests/{request_id}` */
export const GET_REQUEST = managed({
  operationId: 'getRequest',
  summary: 'Get a request',
  description: 'What is kept of one request; of several with the same id, the last one.',
  answer: { description: 'The request.', type: RequestLogRow, examples: { request: row } },
  errors: [MALFORMED, unknown('request', 'req_nope')],
});
