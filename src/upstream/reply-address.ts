import { brokenAnswer } from '../providers/dialects/broken-answer.js';
import { type Provider, type ProviderConnection } from '../providers/provider.js';

/**
 * An address that a provider's answer gave, where it is one to call: on the origin that the operator
 * configured, or by https at a host of the provider's `replyDomain`.
 *
 * @throws GatewayError 502 for any other address.
 */
export function replyAddress({ provider, baseUrl }: ProviderConnection, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && url.username === '' && url.password === '') {
    if (url.origin === baseUrl.origin || isOf(provider, url)) return url;
  }
  throw brokenAnswer(`The provider ${provider.name} pointed to an address that is not its own.`);
}

/**
 * Whether the credential for a connection may go to an address: the operator's own origin, or
 * another host of the provider's where the operator's is one, too.
 */
export function isTrusted({ provider, baseUrl }: ProviderConnection, url: URL): boolean {
  return url.origin === baseUrl.origin || (isOf(provider, baseUrl) && isOf(provider, url));
}

function isOf({ replyDomain }: Provider, { protocol, port, hostname }: URL): boolean {
  if (replyDomain === undefined || protocol !== 'https:' || port !== '') return false;
  return hostname === replyDomain || hostname.endsWith(`.${replyDomain}`);
}
