import { type GatewayError } from '../contract/gateway-error.js';
import { invalidValue } from './parameter-error.js';

const MOST_HEADERS = 32;
const MOST_BYTES = 8 * 1024;
/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const VISIBLE = /^[\t\x20-\x7e]*$/;
/** Headers that carry credentials, say where a request goes, or which model works on it, or frame it. */
const RESERVED = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-key',
  'cookie',
  'set-cookie',
  'host',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'forwarded',
  'x-ms-oai-image-generation-deployment',
]);
const RESERVED_PREFIX = /^(?:proxy|content|x-forwarded)-/;

/**
 * Lets through the `extra_headers` that a caller may send to a provider.
 *
 * @throws GatewayError 400 that names the first header at fault, never its value.
 */
export function checkExtraHeaders(headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers);
  if (entries.length > MOST_HEADERS) throw refused(`at most ${MOST_HEADERS} headers are allowed`);
  const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > MOST_BYTES) throw refused(`names and values may have ${MOST_BYTES} bytes together`);
  for (const [name, value] of entries) {
    if (!TOKEN.test(name)) throw refused(`${JSON.stringify(name)} is not a header name`);
    if (isReserved(name.toLowerCase())) throw refused(`'${name}' may not be set`);
    if (!VISIBLE.test(value)) {
      throw refused(`the value of '${name}' has characters other than visible ASCII`);
    }
  }
}

function isReserved(name: string): boolean {
  return RESERVED.has(name) || RESERVED_PREFIX.test(name);
}

function refused(reason: string): GatewayError {
  return invalidValue('extra_headers', reason);
}
