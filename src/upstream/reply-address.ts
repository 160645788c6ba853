import { GatewayError } from '../contract/gateway-error.js';
import { type ProviderConnection } from '../providers/provider.js';

/**
 * An address that a provider's answer gave, where it is one to call: on the origin that the operator
 * configured, or by https at one of the provider's `replyHosts`.
 *
 * @throws GatewayError 502 for any other address.
 */
export function replyAddress({ provider, baseUrl }: ProviderConnection, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && url.username === '' && url.password === '') {
    if (url.origin === baseUrl.origin) return url;
    const isKnown = provider.replyHosts?.includes(url.host) ?? false;
    if (url.protocol === 'https:' && isKnown) return url;
  }
  throw new GatewayError(
    502,
    'upstream_error',
    `The provider ${provider.name} pointed to an address that is not its own.`,
    { upstream: { status: 200 } },
  );
}
