import { type ApiParamOptions } from '@nestjs/swagger';
import { GatewayError } from '../contract/gateway-error.js';
import { type RouteDocs } from '../http/api-route.js';
import { AnthropicModel, AnthropicModelList } from './dto/anthropic-model.dto.js';
import { ModelGroupList, ModelList, ModelObject } from './dto/model-object.dto.js';

const echoPrices = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 };
const echo = {
  id: 'sandbox/echo',
  object: 'model',
  created: 1795132800,
  owned_by: 'sandbox',
  model_name: 'echo',
  context_length: 1000000,
  description: 'Repeats the last user text',
  source: null,
  capabilities: {
    input_modalities: ['text', 'image'],
    output_modalities: ['text'],
    supports_function_calling: true,
  },
  pricing: echoPrices,
  list_pricing: echoPrices,
  discount: null,
  regions: [],
};
const image = {
  ...echo,
  id: 'sandbox/image',
  model_name: 'image',
  context_length: null,
  description: 'Draws a PNG of the size asked for from the prompt',
  capabilities: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
  pricing: { output_cost_per_image: 0.01 },
  list_pricing: { output_cost_per_image: 0.01 },
};
const embedding = {
  ...echo,
  id: 'sandbox/embedding',
  model_name: 'embedding',
  context_length: 8192,
  description: 'Deterministic unit vectors',
  capabilities: {
    input_modalities: ['text'],
    output_modalities: ['embedding'],
    supports_dimensions: true,
    dimensions: 256,
  },
  pricing: { input_cost_per_token: 0.000001 },
  list_pricing: { input_cost_per_token: 0.000001 },
};
const group = {
  id: 'echo',
  object: 'model',
  created: 1795132800,
  owned_by: 'sandbox',
  mode: 'chat',
  endpoint_count: 1,
  endpoints: [echo],
};
const anthropicEcho = {
  type: 'model',
  id: 'sandbox/echo',
  display_name: 'Repeats the last user text',
  created_at: '2026-11-20T00:00:00Z',
};
const malformedPath = new GatewayError(400, 'invalid_request', 'The request is malformed.');
const OPTIONAL_KEY = `No key is needed; with one, only what its account may use is listed. One that nobody knows
counts as none, and one that has ended is refused.`;

/** The path parameter of the routes of one model. */
export const MODEL_ID = {
  name: 'id',
  schema: { type: 'string', example: 'sandbox/echo' },
  description: '`provider/model`; the slash may be written as `%2F`.',
} as const satisfies ApiParamOptions;

/** `GET /v3/models` */
export const LIST_MODELS: RouteDocs = {
  operationId: 'listModels',
  summary: 'List the chat and image models',
  description: `Every model that can be asked for a message, a chat completion or an image, with its
capabilities and prices. Embedding models have a list of their own. ${OPTIONAL_KEY}`,
  family: 'openai',
  access: 'public',
  answers: {
    200: {
      description: 'The models, or with `view=models` their groups.',
      type: [ModelList, ModelGroupList],
      examples: {
        models: { object: 'list', data: [echo, image] },
        groups: { object: 'list', data: [group] },
      },
    },
  },
};

/** `GET /v3/images/models` */
export const LIST_IMAGE_MODELS: RouteDocs = {
  operationId: 'listImageModels',
  summary: 'List the image models',
  description: 'The models that make or edit images, as far as they are served in your region.',
  family: 'openai',
  access: 'key',
  answers: {
    200: {
      description: 'The models.',
      type: ModelList,
      examples: { models: { object: 'list', data: [image] } },
    },
  },
};

/** `GET /v3/embeddings/models` */
export const LIST_EMBEDDING_MODELS: RouteDocs = {
  operationId: 'listEmbeddingModels',
  summary: 'List the embedding models',
  description: `The models that turn text into vectors. ${OPTIONAL_KEY}`,
  family: 'openai',
  access: 'public',
  answers: {
    200: {
      description: 'The models.',
      type: ModelList,
      examples: { models: { object: 'list', data: [embedding] } },
    },
  },
};

/** `GET /v3/models/{id}` */
export const GET_MODEL: RouteDocs = {
  operationId: 'getModel',
  summary: 'Get one model',
  description: 'One model of any kind, as the lists show it.',
  family: 'openai',
  access: 'public',
  answers: {
    200: { description: 'The model.', type: ModelObject, examples: { model: echo } },
  },
  errors: [malformedPath, 404, 451],
};

/** `GET /v3/v1/models` */
export const LIST_ANTHROPIC_MODELS: RouteDocs = {
  operationId: 'listAnthropicModels',
  summary: 'List the chat models in Anthropic’s shape',
  description: `The models that can be asked for a message, newest first and page by page, as
[Anthropic’s clients](https://platform.claude.com/docs/en/api/models-list) read them.`,
  family: 'anthropic',
  access: 'key',
  answers: {
    200: {
      description: 'A page of models.',
      type: AnthropicModelList,
      examples: {
        page: {
          data: [anthropicEcho],
          has_more: false,
          first_id: 'sandbox/echo',
          last_id: 'sandbox/echo',
        },
      },
    },
  },
  errors: [new GatewayError(400, 'invalid_value', 'limit must be a whole number from 1 to 1000.')],
};

/** `GET /v3/v1/models/{id}` */
export const GET_ANTHROPIC_MODEL: RouteDocs = {
  operationId: 'getAnthropicModel',
  summary: 'Get one model in Anthropic’s shape',
  description: 'One model, as Anthropic’s clients read it.',
  family: 'anthropic',
  access: 'key',
  answers: {
    200: { description: 'The model.', type: AnthropicModel, examples: { model: anthropicEcho } },
  },
  errors: [malformedPath, 404, 451],
};
