import { type RouteDocs } from '../http/api-route.js';
import { Liveness, Readiness } from './dto/health.dto.js';

/** `GET /health/live` */
export const CHECK_LIVENESS: RouteDocs = {
  operationId: 'checkLiveness',
  summary: 'Is the process alive?',
  description: 'Answers as long as the process runs. Restart it when this fails.',
  family: 'openai',
  access: 'probe',
  answers: {
    200: { description: 'It is.', type: Liveness, examples: { alive: { status: 'ok' } } },
  },
};

/** `GET /health/ready` */
export const CHECK_READINESS: RouteDocs = {
  operationId: 'checkReadiness',
  summary: 'Should requests be sent here?',
  description:
    'Tells a load balancer whether to send requests to this process, and what stands in the way.',
  family: 'openai',
  access: 'probe',
  answers: {
    200: {
      description: 'They should.',
      type: Readiness,
      examples: {
        ready: { status: 'ok', checks: { database: 'ok', lifecycle: 'ok' } },
      },
    },
    503: {
      description: 'They should not: the database cannot be reached, or the process is going down.',
      type: Readiness,
      headers: ['Retry-After'],
      examples: {
        'database-away': {
          status: 'unavailable',
          checks: { database: 'not reachable', lifecycle: 'ok' },
        },
        'shutting-down': {
          status: 'unavailable',
          checks: { database: 'ok', lifecycle: 'shutting down' },
        },
      },
    },
  },
};
