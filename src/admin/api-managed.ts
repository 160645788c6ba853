import { ApiParam } from '@nestjs/swagger';
import { GatewayError } from '../contract/gateway-error.js';
import { type DocumentedError } from '../http/api-errors.js';
import { type AnswerDocs, type RouteDocs } from '../http/api-route.js';

const ADMIN_ONLY = new GatewayError(
  403,
  'permission_denied',
  'This needs a key with the scope "admin".',
);

/** What a route with a body may find wrong with it. */
export const BODY_ERRORS = [400, 413, 415] as const;

/** The documentation of a management route, which answers with 200. */
export function managed({
  answer,
  errors = [],
  ...docs
}: Pick<RouteDocs, 'operationId' | 'summary' | 'description' | 'requests' | 'sends'> & {
  readonly answer: AnswerDocs;
  readonly errors?: readonly DocumentedError[];
}): RouteDocs {
  return {
    ...docs,
    family: 'openai',
    access: 'key',
    answers: { 200: answer },
    errors: [...errors, ADMIN_ONLY],
  };
}

/** The 404 for an id that stands for nothing. */
export function unknown(kind: string, id: string): GatewayError {
  return new GatewayError(404, 'not_found', `There is no ${kind} '${id}'.`);
}

/** The 400 of a path that cannot be decoded. */
export const MALFORMED = new GatewayError(400, 'invalid_request', 'The request is malformed.');

/** The 400 of a list's query. */
export const WRONG_PAGE = new GatewayError(
  400,
  'invalid_value',
  "Invalid 'limit': expected a whole number from 1 to 1000.",
  { param: 'limit' },
);

/** Documents the `id` of a path that stands for an account. */
export const AccountId = () =>
  ApiParam({
    name: 'id',
    description: 'The account.',
    schema: { type: 'string', example: 'acc_default' },
  });
