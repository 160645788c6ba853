import { GatewayError } from '../contract/gateway-error.js';
import { type RequestHeader } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';

/** The request headers that `@router` knows. */
export const ROUTING_REQUEST_HEADERS: Readonly<Record<string, RequestHeader>> = {
  'x-session-id': {
    description:
      'What `@router` knows the conversation by, where the body has no `session_id`; ' +
      '`x-claude-code-session-id`, `session-id` (Codex), `x-opencode-session`, ' +
      '`x-session-affinity` and `agent-session-id` count alike.',
  },
};

/** The 400 of a request that no model can take. */
export const NO_CANDIDATE = new GatewayError(
  400,
  'router_no_candidate',
  'No model that you may use can take this request: image_input: sandbox/echo.',
  { param: 'model' },
);

/** `POST /v3/feedback` */
export const GIVE_FEEDBACK: RouteDocs = {
  operationId: 'giveFeedback',
  summary: 'Say how good an answer was',
  description: `Tells \`@router\` how well a model has done, for this account only. It moves what is
believed of the model for that kind of task, a little with each answer that is judged. Of several
scores for one request the last one counts.`,
  family: 'openai',
  access: 'key',
  requests: {
    'good-answer': { request_id: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58', score: 1 },
    'poor-answer': {
      request_id: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58',
      score: 0.2,
      note: 'The second question was not answered.',
    },
  },
  answers: {},
  errors: [
    new GatewayError(
      400,
      'invalid_value',
      "Invalid 'score': expected a value <= 1, but got 2 instead.",
      { param: 'score' },
    ),
    new GatewayError(
      404,
      'not_found',
      "There is no request 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58' of yours that a model has answered.",
      { param: 'request_id' },
    ),
    413,
    415,
  ],
};
