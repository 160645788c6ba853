import { bedrockDialect } from '../dialects/converse/bedrock-dialect.js';
import { decodeBedrockImageError } from '../dialects/images/bedrock-image-answer.js';
import { bedrockImages } from '../dialects/images/bedrock-images.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/**
 * Amazon Bedrock, in the region of the settings.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html
 */
export const bedrock: Provider = {
  name: 'bedrock',
  baseUrl: undefined,
  auth: { type: 'aws-signature', service: 'bedrock' },
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: { ...bedrockDialect, ...bedrockImages },
  // AWS charges for the whole answer of a call that was cut, and tells its length at the end only.
  onDisconnect: 'drain',
  // https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html
  readsDocuments: true,
  decodeError: decodeBedrockImageError,
};
