import { GatewayError } from '../contract/gateway-error.js';
import { BODY_ERRORS, MALFORMED, managed, unknown } from './api-managed.js';
import { ModelSettings, ProviderCredentials, ProviderList } from './dto/provider.dto.js';

const credentials = {
  provider: 'openai',
  configured: true,
  source: 'database',
  updated_at: '2026-11-20T12:00:00.000Z',
};
const NO_PROVIDER = unknown('provider', 'nope');

/** `GET /v3/admin/providers` */
export const LIST_PROVIDERS = managed({
  operationId: 'listProviders',
  summary: 'List the providers',
  description: `Every provider, on or off: whether it is configured, how its tries went in the last 15
minutes in all processes, and how its models’ circuits and its keys stand in the process that answers.`,
  answer: {
    description: 'The providers.',
    type: ProviderList,
    examples: {
      providers: {
        data: [
          {
            name: 'openai',
            configured: true,
            credentials: 'environment',
            circuit: 'closed',
            models: [
              {
                model: 'openai/gpt-4o-mini',
                circuit: 'closed',
                calls: 12,
                failures: 1,
                p50_ms: 640,
              },
            ],
            deployments: [
              { address: 'https://api.openai.com', running: 3, rest_ms: 0 },
              { address: 'https://api.openai.com', running: 0, rest_ms: 12_000 },
            ],
            requests: 40,
            success_rate: 0.975,
            p50_ms: 812,
            p95_ms: 2904,
          },
        ],
      },
    },
  },
});

/** `GET /v3/admin/providers/{name}/credentials` */
export const GET_CREDENTIALS = managed({
  operationId: 'getCredentials',
  summary: 'See whether a provider has a key',
  description: 'Where the key comes from; the key itself is never shown.',
  answer: {
    description: 'What there is.',
    type: ProviderCredentials,
    examples: { credentials },
  },
  errors: [MALFORMED, NO_PROVIDER],
});

/** `PUT /v3/admin/providers/{name}/credentials` */
export const SET_CREDENTIALS = managed({
  operationId: 'setCredentials',
  summary: 'Set a provider’s key',
  description: `Keeps the key in the database, encrypted under \`ENCRYPTION_KEY\`, and uses it in place of the
environment’s: in this process at once and in every other one within seconds.`,
  requests: { key: { api_key: 'sk-a-key-of-the-provider' } },
  answer: {
    description: 'What there is now.',
    type: ProviderCredentials,
    examples: { credentials },
  },
  errors: [
    new GatewayError(
      400,
      'invalid_request',
      'Provider keys are kept encrypted, for which ENCRYPTION_KEY must be set.',
    ),
    ...BODY_ERRORS,
    NO_PROVIDER,
  ],
});

/** `DELETE /v3/admin/providers/{name}/credentials` */
export const REMOVE_CREDENTIALS = managed({
  operationId: 'removeCredentials',
  summary: 'Remove a provider’s key',
  description: 'Removes it from the database; the environment’s is used again where there is one.',
  answer: {
    description: 'What there is now.',
    type: ProviderCredentials,
    examples: {
      credentials: { ...credentials, source: 'environment', updated_at: null },
    },
  },
  errors: [MALFORMED, NO_PROVIDER],
});

/** `PUT /v3/admin/models/{id}` */
export const CHANGE_MODEL = managed({
  operationId: 'changeModel',
  summary: 'Change a model',
  description: `Enables or disables a model and lays prices and regions over those that are listed; what is not
named is as it is listed. It holds in this process at once and in every other one within seconds.`,
  requests: {
    price: { pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 } },
    'as-listed': {},
  },
  answer: {
    description: 'The model as it is now.',
    type: ModelSettings,
    examples: {
      model: {
        id: 'sandbox/echo',
        enabled: true,
        pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 },
        regions: [],
      },
    },
  },
  errors: [...BODY_ERRORS, unknown('model', 'openai/nope')],
});
