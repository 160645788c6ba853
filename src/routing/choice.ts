import { type Caller } from '../contract/caller.js';
import { type Endpoint, type Format } from '../contract/endpoint.js';
import { type HelperTool } from '../contract/helper.js';

/** What a surface needs of a model. */
export interface Need {
  readonly endpoint: Endpoint;
  /** The format of a conversation; absent for endpoints that have only one. */
  readonly format?: Format;
  /** The route below `/v3`, as messages name it. */
  readonly path: string;
}

/** What conversations need, by the surface on which they are held. */
export const CONVERSATIONS = {
  messages: { endpoint: 'messages', format: 'anthropic', path: '/v1/messages' },
  chat: { endpoint: 'messages', format: 'openai', path: '/chat/completions' },
  responses: { endpoint: 'messages', format: 'responses', path: '/responses' },
} as const satisfies Record<string, Need>;

/** The fields of a body that choose models, or among those that are chosen. */
export interface Choice {
  readonly model: string;
  readonly fallbacks?: readonly string[] | null;
  readonly router_candidates?: readonly string[] | null;
  readonly thread?: unknown;
}

/** Who asks for what. */
export interface Asked {
  readonly caller: Caller;
  readonly choice: Choice;
  readonly need: Need;
  /** By which the model that serves may use another one. */
  readonly helpers: readonly HelperTool[];
}
