import { createHash, createHmac } from 'node:crypto';
import { type AwsKeys } from '../config/config.js';

/** What of a call is signed. */
interface SignedCall {
  readonly method: string;
  readonly url: URL;
  /** Its bytes, or their SHA-256 in hexadecimal digits. */
  readonly body: readonly Uint8Array[] | string;
}

interface SigningScope {
  readonly keys: AwsKeys;
  readonly region: string;
  readonly service: string;
  readonly now: Date;
}

/**
 * The headers that sign a call to AWS by Signature Version 4. Only the host and AWS' own headers are
 * signed, so that a proxy may change the others.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function awsSignature(
  { method, url, body }: SignedCall,
  { keys, region, service, now }: SigningScope,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const own: Record<string, string> = {
    'x-amz-date': time,
    ...(keys.sessionToken !== undefined && { 'x-amz-security-token': keys.sessionToken }),
  };
  const signed = Object.entries({ host: url.host, ...own });
  const names = signed.map(([name]) => name).join(';');
  const canonicalRequest = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    typeof body === 'string' ? body : sha256(body),
  ].join('\n');

  const steps = [time.slice(0, 8), region, service, 'aws4_request'];
  const scope = steps.join('/');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256([Buffer.from(canonicalRequest)])].join(
    '\n',
  );
  const key = steps.reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const credential = `Credential=${keys.accessKeyId}/${scope}`;
  return {
    ...own,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Every service but S3 escapes the path once more, as it came over the wire. */
function canonicalPath(pathname: string): string {
  return pathname
    .replace(/\/{2,}/g, '/')
    .split('/')
    .map(escaped)
    .join('/');
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
}

/** `encodeURIComponent` and the rest of what RFC 3986 reserves. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
