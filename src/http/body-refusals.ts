import { GatewayError, type ValidationEntry } from '../contract/gateway-error.js';
import { type JsonError } from '../json/python-json-error.js';
import { type AnswerStyle } from '../validation/dto-metadata.js';
import { parameterError } from './parameter-error.js';
import { type Problem } from '../validation/validation-problem.js';
import { validationEntries } from './validation-entries.js';

/** The errors that one family of endpoints answers a bad body with. */
export interface BodyRefusals {
  empty(): GatewayError;
  notJson(): GatewayError;
  brokenJson(error: JsonError): GatewayError;
  problems(problems: readonly [Problem, ...Problem[]]): GatewayError;
}

/** FastAPI's way: a 422 with every problem at once. */
const HTTP_VALIDATION: BodyRefusals = {
  empty: () => unprocessable([{ type: 'missing', loc: ['body'], msg: 'Field required' }]),
  notJson: () => unprocessable(validationEntries([NOT_AN_OBJECT])),
  brokenJson: ({ message, offset }) =>
    unprocessable([
      {
        type: 'json_invalid',
        loc: ['body', offset],
        msg: 'JSON decode error',
        ctx: { error: message },
      },
    ]),
  problems: (problems) => unprocessable(validationEntries(problems)),
};

/** OpenAI's way: a 400 that names the first problem. */
const OPENAI: BodyRefusals = {
  empty: () =>
    new GatewayError(400, 'invalid_json', 'The request body is empty; send a JSON object.'),
  notJson: () =>
    new GatewayError(
      415,
      'unsupported_media_type',
      'The request body must be JSON: send it with Content-Type: application/json.',
    ),
  brokenJson: ({ message, offset }) =>
    new GatewayError(
      400,
      'invalid_json',
      `The request body is not valid JSON: ${message} (character ${offset}).`,
    ),
  problems: ([first]) => parameterError(first),
};

/** How each style answers. */
export const BODY_REFUSALS: Record<AnswerStyle, BodyRefusals> = {
  'http-validation': HTTP_VALIDATION,
  openai: OPENAI,
};

const NOT_AN_OBJECT: Problem = { type: 'model_attributes_type', place: [], value: undefined };

/** A 422 with these entries. */
export function unprocessable(entries: readonly ValidationEntry[]): GatewayError {
  return new GatewayError(422, 'invalid_request', 'Validation error', { entries });
}
