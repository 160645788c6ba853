import { helpersIn } from '../../contract/helper.js';
import { type Dialect, type Provider, type RelayContext } from '../provider.js';
import { atPath, type PathTo } from './dialect-path.js';
import { chatDialect } from './openai-chat/openai-chat-dialect.js';
import { OPENAIS_OWN } from './openai-chat/openai-chat-quirks.js';
import { editsByForm, openaiDialect } from './openai-dialect.js';
import { untranslatable } from './placed-blocks.js';
import { responsesDialect } from './responses/responses-dialect.js';
import { isForResponses } from './responses/responses-only.js';

/** The newest dated version that is no preview; newer features are served below `/openai/v1` only. */
const API_VERSION = '2024-10-21';

/**
 * OpenAI's formats where Azure serves them: below `/openai/v1` as OpenAI does; below a resource's own
 * address at a path for each deployment, whose name is the model's here.
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
 *
 * @throws GatewayError 400 for Responses at the address of one deployment: Azure's 404 there would have the
 * model rest for all callers.
 */
export const azurePath: PathTo = (path, { model, place: { path: base = '' } }) => {
  if (base.endsWith('/openai/v1')) return path;
  const dated = `${path}?api-version=${API_VERSION}`;
  const isDeployment = /\/deployments\/[^/]+$/.test(base);
  // Responses have no path for a deployment.
  if (path === '/responses' && isDeployment) {
    throw untranslatable(
      'model',
      'Azure serves no Responses at the address of one deployment, where this would be asked.',
    );
  }
  if (isDeployment) return dated;
  const root = base.endsWith('/openai') ? '' : '/openai';
  if (path === '/responses') return `${root}/v1${path}`;
  return `${root}/deployments/${encodeURIComponent(model.name)}${dated}`;
};

/**
 * Which deployment the tool `image_generation` draws with: Azure takes its name from a header.
 * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses#image-generation-preview
 */
function painterHeader({ body }: RelayContext): Readonly<Record<string, string>> {
  const painter = helpersIn(body).find(({ format }) => format === 'responses');
  return painter ? { 'x-ms-oai-image-generation-deployment': painter.model } : {};
}

const { relay } = responsesDialect;
const responses = {
  ...responsesDialect,
  relay: {
    ...relay,
    request: (call: RelayContext) => ({ ...relay.request(call), headers: painterHeader(call) }),
  },
};
const chat: Dialect<'messages'> = {
  ...chatDialect(OPENAIS_OWN),
  serves: (model, body) => !isForResponses(model, body),
};
const [embeddings] = openaiDialect.embeddings;
const [images] = openaiDialect.images;
const [imageEdits] = editsByForm;

/** Everything that Azure OpenAI serves. */
export const azureDialect: Provider['endpoints'] = {
  messages: [atPath(chat, azurePath), atPath(responses, azurePath)],
  embeddings: [atPath(embeddings, azurePath)],
  images: [atPath(images, azurePath)],
  'image-edits': [atPath(imageEdits, azurePath)],
};
