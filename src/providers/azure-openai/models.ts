import { type ModelSpec } from '../../contract/model.js';
import { models as openaiModels } from '../openai/models.js';

/** https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/models-sold-directly-by-azure */
const SERVED = new Set([
  'gpt-6-sol',
  'gpt-6-luna',
  'gpt-5.6-sol',
  'gpt-5.6-terra',
  'gpt-5.6-luna',
  'gpt-5.5',
  'gpt-5.4',
  'gpt-5.4-mini',
  'gpt-5.4-nano',
  'gpt-5.2',
  'gpt-5.1',
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-nano',
  'gpt-4.1',
  'gpt-4.1-mini',
  'o3',
  'gpt-4o',
  'gpt-4o-mini',
  'gpt-image-2',
  'gpt-image-1.5',
  'gpt-image-1-mini',
  'text-embedding-3-large',
  'text-embedding-3-small',
  'text-embedding-ada-002',
]);

/**
 * The models that Azure sells, under the names that it gives their deployments unless one chooses
 * another; a deployment of another name is a row of `MODELS_FILE`.
 */
export const models: readonly ModelSpec[] = openaiModels
  .filter(({ name }) => SERVED.has(name))
  .map(({ aliasOf: _snapshotThere, ...spec }) => spec);
