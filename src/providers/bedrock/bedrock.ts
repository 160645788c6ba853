import { bedrockDialect } from '../dialects/bedrock-dialect.js';
import { decodeBedrockError } from '../dialects/bedrock-errors.js';
import { type Provider } from '../provider.js';
import { models } from './models.js';

/**
 * Amazon Bedrock, in the region of the settings.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html
 */
export const bedrock: Provider = {
  name: 'bedrock',
  baseUrl: undefined,
  auth: { type: 'aws-signature', service: 'bedrock' },
  models,
  endpoints: bedrockDialect,
  // AWS charges for the whole answer of a call that was cut, and tells its length at the end only.
  onDisconnect: 'drain',
  decodeError: decodeBedrockError,
};
