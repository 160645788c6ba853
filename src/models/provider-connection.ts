import { type Config } from '../config/config.js';
import { variablePrefix } from '../config/read-config.js';
import { type Provider, type ProviderConnection } from '../providers/provider.js';
import { checkBaseAddress } from './base-address.js';
import { CREDENTIAL } from './models-file.js';

/**
 * How a built-in provider is reached here; undefined when it is off. One that has an address of its
 * own needs a key, a self-hosted one needs an address, and the sandbox needs neither. A key from the
 * database stands in front of the environment's.
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
  const address = settings.baseUrl ?? provider.baseUrl;
  if (address === undefined) return undefined;
  const checked = checkBaseAddress(address, { allowInsecure: config.allowInsecureUpstream });
  if ('problem' in checked) {
    problems.push(`${prefix}_BASE_URL ${checked.problem}`);
    return undefined;
  }
  const keyless = provider.baseUrl === undefined || provider.auth.type === 'none';
  if (apiKey === undefined && !keyless) return undefined;
  return { provider, baseUrl: checked.url, apiKey, place: {} };
}
