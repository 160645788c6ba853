/**
 * Why something outside could not be reached or used, in plain words, as far as its error says so.
 * Never a stack, and one line.
 */
export function plainReason(error: unknown): string {
  for (const cause of causesOf(error)) {
    const words = WORDS[codeOf(cause)];
    if (words !== undefined) return words;
  }
  const message = causesOf(error).map(messageOf).findLast(Boolean);
  return message === undefined ? String(error) : oneLine(message);
}

/** A foreign text as one line that is not too long to be read. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const LONGEST = 300;

/** https://nodejs.org/api/errors.html, https://sqlite.org/rescode.html */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped before its end',
  EPROTO: 'it does not speak TLS (is it http:// and not https://?)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS (is it http:// and not https://?)',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS (is it http:// and not https://?)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by nobody who is known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by nobody who is known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no directory',
  EISDIR: 'it is a directory',
  SQLITE_NOTADB: 'the file is no database',
  SQLITE_CORRUPT: 'the file is damaged',
  SQLITE_BUSY: 'another process holds the file',
  SQLITE_LOCKED: 'another process holds the file',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'the file is read-only',
  SQLITE_CANTOPEN: 'the file cannot be opened',
};

/** The error and what it was caused by, outermost first; of several at once the first. */
function causesOf(error: unknown, depth = 0): readonly unknown[] {
  if (error === undefined || error === null || depth > 8) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const inner = Array.isArray(errors) ? (errors[0] as unknown) : cause;
  return [error, ...causesOf(inner, depth + 1)];
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function messageOf(error: unknown): string {
  const { message } = error as { message?: unknown };
  return typeof message === 'string' ? message : '';
}
