import { MODEL_REFUSALS } from '../http/api-error-examples.js';
import { type RouteDocs } from '../http/api-route.js';
import { NO_CANDIDATE, ROUTING_REQUEST_HEADERS } from '../routing/routing-docs.js';
import { RoutePlan } from './dto/route-plan.dto.js';

const conversation = { messages: [{ role: 'user', content: 'Hello' }] };

/** `POST /v3/route` */
export const PLAN_ROUTE: RouteDocs = {
  operationId: 'planRoute',
  summary: 'See what would be chosen, and why',
  description: `Takes the body of a messages, chat or responses request and tells which models would be
tried, in their order. It is judged as its surface judges it; what that would answer with 422 is 400
here. Nobody is called, nothing is charged, and nothing is remembered.`,
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
  errors: [NO_CANDIDATE, ...MODEL_REFUSALS, 404, 413, 415, 451],
};
