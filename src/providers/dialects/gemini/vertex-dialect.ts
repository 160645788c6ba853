import { type Endpoint } from '../../../contract/endpoint.js';
import { type Model } from '../../../contract/model.js';
import { type Dialect, type Provider } from '../../provider.js';
import { atPath } from '../dialect-path.js';
import { vertexGeminiDialect } from './gemini-dialect.js';
import { chatDialect } from '../openai-chat/openai-chat-dialect.js';
import { vertexAnthropic, vertexAnthropicCount } from '../anthropic/vertex-anthropic.js';
import { vertexEmbeddings } from '../embeddings/vertex-embeddings.js';
import { isOfOtherMaker, vertexRoot } from './vertex-path.js';

const [gemini] = vertexGeminiDialect.messages;
const [geminiCount] = vertexGeminiDialect['count-tokens'];
const chat = chatDialect({ thinksIn: ['reasoning_content'] });

/**
 * Everything that Vertex AI serves here: Claude in Anthropic's format; other makers' models, which are
 * named `maker/model`, in OpenAI's; Gemini, and whatever else has no maker, in Google's own.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/use-partner-models
 */
export const vertexDialect: Provider['endpoints'] = {
  messages: [
    only('anthropic', vertexAnthropic),
    only(
      'openai',
      atPath(chat, (path, { place }) => `${vertexRoot(place)}/endpoints/openapi${path}`),
    ),
    only('gemini', gemini),
  ],
  'count-tokens': [only('anthropic', vertexAnthropicCount), only('gemini', geminiCount)],
  embeddings: [vertexEmbeddings],
};

function only<E extends Endpoint>(format: string, dialect: Dialect<E>): Dialect<E> {
  return { ...dialect, serves: (model) => formatOf(model) === format };
}

function formatOf({ name }: Model): string {
  if (name.startsWith('claude-')) return 'anthropic';
  return isOfOtherMaker(name) ? 'openai' : 'gemini';
}
