import { GatewayError } from '../contract/gateway-error.js';
import { type RequestHeader } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';
import { RoutePlan } from './dto/route-plan.dto.js';

/** The request headers that `@router` knows. */
export const ROUTING_REQUEST_HEADERS: Readonly<Record<string, RequestHeader>> = {
  'x-session-id': {
    description:
      'What `@router` knows the conversation by, where the body has no `session_id`; ' +
      '`x-claude-code-session-id`, `session-id` (Codex), `x-opencode-session` and ' +
      '`x-session-affinity` count alike.',
  },
};

const conversation = { messages: [{ role: 'user', content: 'Hello' }] };

/** `POST /v3/route` */
export const PLAN_ROUTE: RouteDocs = {
  operationId: 'planRoute',
  summary: 'See what would be chosen, and why',
  description: `Takes the body of a messages, chat or responses request and tells which models would be
tried, in their order. Nobody is called, nothing is charged, and nothing is remembered.`,
  family: 'openai',
  access: 'key',
  sends: ROUTING_REQUEST_HEADERS,
  requests: {
    'chosen-by-the-router': { model: '@router', ...conversation },
    'chosen-among-some': {
      model: '@router',
      router_candidates: ['sandbox/echo'],
      routing: { quality_cost: 3 },
      ...conversation,
    },
    'named-with-a-fallback': {
      model: 'sandbox/echo',
      fallbacks: ['sandbox/echo'],
      ...conversation,
    },
  },
  answers: {
    200: {
      description: 'The plan.',
      type: RoutePlan,
      examples: {
        plan: {
          model: 'sandbox/echo',
          plan: ['sandbox/echo'],
          task: 'general',
          kept: false,
          candidates: [
            {
              model: 'sandbox/echo',
              score: 0.15,
              quality: 0.5,
              price: 0.000602,
              latency_ms: null,
            },
            {
              model: 'openai/gpt-4o',
              score: null,
              quality: null,
              price: null,
              latency_ms: null,
              dropped: 'disabled',
            },
          ],
        },
      },
    },
  },
  errors: [
    new GatewayError(
      400,
      'router_no_candidate',
      'No model that you may use can take this request: image_input: sandbox/echo.',
      { param: 'model' },
    ),
    404,
    413,
    415,
    451,
  ],
};

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
    new GatewayError(400, 'invalid_value', "Invalid 'score': must be 1 or less.", {
      param: 'score',
    }),
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
