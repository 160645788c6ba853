import { type Config } from '../config/config.js';
import { variablePrefix } from '../config/read-config.js';
import { type Provider, type ProviderConnection } from '../providers/provider.js';
import { checkBaseAddress } from './base-address.js';
import { cloudAccess } from './cloud-access.js';
import { CREDENTIAL } from './models-file.js';

/**
 * How a built-in provider is reached here; undefined when it is off. One that has an address of its
 * own needs a key, a self-hosted one needs an address, a cloud's one needs its cloud's settings, and
 * the sandbox needs nothing. A key from the database stands in front of the environment's. What is
 * wrong or half configured is added to `problems`.
 */
export function connect(
  provider: Provider,
  config: Config,
  storedKey: string | undefined,
  problems: string[],
): ProviderConnection | undefined {
  if (provider.name === 'sandbox') {
    // Never looked up: calls to the sandbox do not leave the process.
    const baseUrl = new URL(provider.baseUrl ?? 'http://sandbox.invalid');
    return config.sandbox ? { provider, baseUrl, apiKey: undefined, place: {} } : undefined;
  }
  const settings = config.provider(provider.name);
  const prefix = variablePrefix(provider.name);
  if (settings.apiKey !== undefined && !CREDENTIAL.test(settings.apiKey)) {
    problems.push(`${prefix}_API_KEY must be visible ASCII`);
  }
  const apiKey = storedKey ?? settings.apiKey;
  const cloud = cloudAccess(provider, config, problems);
  const address = settings.baseUrl ?? provider.baseUrl ?? cloud?.baseUrl;
  if (address === undefined) {
    if (apiKey !== undefined) problems.push(`${prefix}_BASE_URL is needed with ${prefix}_API_KEY`);
    return undefined;
  }
  const checked = checkBaseAddress(address, { allowInsecure: config.allowInsecureUpstream });
  if ('problem' in checked) {
    problems.push(`${prefix}_BASE_URL ${checked.problem}`);
    return undefined;
  }
  if (apiKey === undefined && !cloud?.hasCredential && !isKeyless(provider)) {
    if (provider.baseUrl === undefined && !cloud) {
      problems.push(`${prefix}_API_KEY is needed with ${prefix}_BASE_URL`);
    }
    return undefined;
  }
  const path = checked.url.pathname.replace(/\/$/, '');
  return { provider, baseUrl: checked.url, apiKey, place: { ...cloud?.place, path } };
}

/** A server of one's own may want no key; one that names a header of its own for it always does. */
function isKeyless({ auth, baseUrl }: Provider): boolean {
  return auth.type === 'none' || (baseUrl === undefined && auth.type === 'bearer');
}
