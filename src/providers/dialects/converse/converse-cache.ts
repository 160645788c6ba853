import { type Model } from '../../../contract/model.js';
import { namesClaude, namesNova, vendorOf } from './bedrock-model.js';

/**
 * What a `cache_control` becomes: a cache point behind the block that has it. None for a model that
 * does not cache, because it refuses the mark, and agents set it for every model.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
export function cachePoint(model: Model, cacheControl: unknown): object[] {
  if (typeof cacheControl !== 'object' || cacheControl === null || !caches(model)) return [];
  const { ttl } = cacheControl as { ttl?: unknown };
  // Nova keeps what it caches for five minutes only.
  const isLong = ttl === '1h' && namesClaude(model.name);
  return [{ cachePoint: { type: 'default', ...(isLong && { ttl }) } }];
}

/** Nova caches what is said but not the tools. */
export function cachesTools(model: Model): boolean {
  return vendorOf(model.name) !== 'amazon';
}

function caches({ name, capabilities }: Model): boolean {
  return capabilities.supports_prompt_caching ?? (namesClaude(name) || namesNova(name));
}
