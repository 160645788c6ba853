import { type EmbeddingsRequest, type EmbeddingsResult } from './embeddings.js';
import { type ImageEditRequest, type ImagesRequest, type ImagesResult } from './images.js';
import { type NeutralMessage, type NeutralRequest } from './neutral.js';

/**
 * What a model can be asked to do. A catalogue row lists the ones it serves; chat, responses and
 * token counting come with `messages`.
 */
interface Endpoints {
  messages: { request: NeutralRequest; result: NeutralMessage };
  'count-tokens': { request: NeutralRequest; result: { input_tokens: number } };
  embeddings: { request: EmbeddingsRequest; result: EmbeddingsResult };
  images: { request: ImagesRequest; result: ImagesResult };
  'image-edits': { request: ImageEditRequest; result: ImagesResult };
}

/** The name of one of them. */
export type Endpoint = keyof Endpoints;
/** What an endpoint’s codecs translate. */
export type RequestOf<E extends Endpoint> = Endpoints[E]['request'];
/** What they make of the answer. */
export type ResultOf<E extends Endpoint> = Endpoints[E]['result'];

/** A conversation's wire format; a surface and a provider's dialect that share one are relayed. */
export type Format =
  | 'anthropic'
  | 'openai'
  | 'responses'
  | 'gemini'
  | 'converse'
  | 'cohere'
  | 'ollama'
  /** A provider's own for images, which no caller speaks. */
  | 'native';
