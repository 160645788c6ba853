import { GatewayError } from '../contract/gateway-error.js';

/** What a caller is told of an error of the file system. */
export function storageFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && FULL.has(code)) return noRoomLeft(error);
  return new GatewayError(500, 'internal_error', 'Internal error', { cause: error });
}

/** The 507 of a disk, or a bucket, that takes nothing more. */
export function noRoomLeft(cause: unknown): GatewayError {
  const message = 'The gateway has no room left for files.';
  return new GatewayError(507, 'insufficient_storage', message, { cause });
}

/** No space, no quota, larger than a file may be; read-only, as Linux makes a disk that has errors. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);
