import { type IncomingMessage } from 'node:http';

/**
 * The key that a request presents: the bearer token, or `x-api-key` where that is allowed and there
 * is no `Authorization`. Undefined when there is none, or more than one `Authorization`.
 */
export function presentedKey(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  { apiKeyHeader }: { readonly apiKeyHeader: boolean },
): string | undefined {
  // Node keeps the first of several; a proxy in front may have judged another one.
  if (rawHeaders.filter(isAuthorizationName).length > 1) return undefined;
  if (headers.authorization !== undefined) return BEARER.exec(headers.authorization)?.[1];
  const apiKey = headers['x-api-key'];
  return apiKeyHeader && typeof apiKey === 'string' && apiKey !== '' ? apiKey : undefined;
}

const BEARER = /^bearer +(\S+)$/i;

/** Names and values alternate in the list: the names are at the even places. */
function isAuthorizationName(entry: string, index: number): boolean {
  return index % 2 === 0 && entry.toLowerCase() === 'authorization';
}
