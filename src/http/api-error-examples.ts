import { GatewayError } from '../contract/gateway-error.js';

/** Why a status is answered, and the errors that show it in the documentation. */
interface UsualError {
  readonly meaning: string;
  readonly examples: readonly GatewayError[];
}

const MODEL = { param: 'model' };

/** The errors that a route may declare by their status alone. */
export const USUAL_ERRORS = {
  400: {
    meaning: 'The request cannot be carried out as it is; the message says why.',
    examples: [
      new GatewayError(
        400,
        'missing_required_parameter',
        "Missing required parameter: 'model'.",
        MODEL,
      ),
      new GatewayError(
        400,
        'invalid_value',
        "Invalid 'model': expected '<provider>/<model>'.",
        MODEL,
      ),
    ],
  },
  401: {
    meaning: 'No key was sent where one is needed, or it is not a valid one.',
    examples: [
      new GatewayError(
        401,
        'invalid_api_key',
        'Missing or invalid API key. Send it as "Authorization: Bearer <key>".',
      ),
    ],
  },
  402: {
    meaning:
      'The credit of the account, or the spend limit of the key, does not cover the request.',
    examples: [
      new GatewayError(
        402,
        'insufficient_credits',
        "This call may cost up to 0.0125 USD, which is more than the account's credits.",
      ),
      new GatewayError(
        402,
        'spend_limit_reached',
        "This call may cost up to 0.0125 USD, which is more than what is left of the key's spend limit.",
      ),
    ],
  },
  403: {
    meaning: 'The key may not do this: its scope is another one, or the model is not on its list.',
    examples: [
      new GatewayError(403, 'permission_denied', 'This needs a key with the scope "inference".'),
    ],
  },
  404: {
    meaning: 'There is no such model for this account, or nothing by that id.',
    examples: [
      new GatewayError(
        404,
        'model_not_found',
        "The model 'openai/nope' does not exist or is not enabled on your account.",
        MODEL,
      ),
    ],
  },
  408: {
    meaning: 'The body took too long on its way here.',
    examples: [
      new GatewayError(408, 'request_timeout', 'The request body did not come in within a minute.'),
    ],
  },
  409: {
    meaning: 'The request conflicts with another one, here or at the provider.',
    examples: [new GatewayError(409, 'invalid_request', 'The provider openai answered 409.')],
  },
  413: {
    meaning:
      'The body, or a file of it, is larger than the gateway, the model or the account’s quota allows.',
    examples: [
      new GatewayError(413, 'request_too_large', 'The request body is larger than 33554432 bytes.'),
    ],
  },
  415: {
    meaning:
      'The body is not what is taken here: JSON in UTF-8, plain or as gzip, deflate or br, or a plain form ' +
      'with files of known types.',
    examples: [
      new GatewayError(
        415,
        'unsupported_media_type',
        'The content encoding is not supported; send gzip, deflate, br or none.',
      ),
    ],
  },
  422: {
    meaning: 'Fields are missing or wrong. Every problem is listed, in the order of the fields.',
    examples: [
      new GatewayError(422, 'invalid_request', 'Two required fields are missing.', {
        entries: [
          { type: 'missing', loc: ['body', 'model'], msg: 'Field required' },
          { type: 'missing', loc: ['body', 'messages'], msg: 'Field required' },
        ],
      }),
    ],
  },
  429: {
    meaning: 'Too many requests, here or at the provider.',
    examples: [
      new GatewayError(429, 'rate_limit_exceeded', 'Too many requests. Try again in 1 s.'),
    ],
  },
  451: {
    meaning: 'The model is not served in the region of the account.',
    examples: [
      new GatewayError(
        451,
        'region_not_allowed',
        "The model 'openai/gpt-4o' is not available in your region.",
        MODEL,
      ),
    ],
  },
  500: {
    meaning: 'A fault of the gateway. The request id finds it in the log.',
    examples: [new GatewayError(500, 'internal_error', 'Internal error')],
  },
  502: {
    meaning: 'The provider failed, refused the gateway or sent a broken answer.',
    examples: [
      new GatewayError(502, 'upstream_error', 'The provider openai failed with status 500.'),
    ],
  },
  503: {
    meaning:
      'Nobody can serve the request just now: the gateway has too much to do or is being stopped, ' +
      'its database is away, or the model fails at the moment and no other one follows.',
    examples: [
      new GatewayError(503, 'provider_unavailable', 'The gateway cannot reach its database.'),
    ],
  },
  504: {
    meaning: 'The provider did not answer in time.',
    examples: [
      new GatewayError(504, 'upstream_timeout', 'The provider openai did not answer in time.'),
    ],
  },
  507: {
    meaning: 'The gateway has no room left for files.',
    examples: [
      new GatewayError(507, 'insufficient_storage', 'The gateway has no room left for files.'),
    ],
  },
  529: {
    meaning: 'The provider is overloaded.',
    examples: [
      new GatewayError(529, 'provider_unavailable', 'The provider anthropic is overloaded.'),
    ],
  },
} as const satisfies Record<number, UsualError>;

/** What a key is refused that asks for a model. */
export const MODEL_REFUSALS: readonly GatewayError[] = [
  ...USUAL_ERRORS[403].examples,
  new GatewayError(403, 'model_not_allowed', "This key may not use the model 'openai/gpt-4o'."),
];

/** A status that has a usual error. */
export type ErrorStatus = keyof typeof USUAL_ERRORS;
