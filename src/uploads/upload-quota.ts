import { GatewayError } from '../contract/gateway-error.js';
import { type Taken } from './upload-rows.js';

/** The largest file that is taken, in bytes. */
const MOST_FILE_BYTES = 100 * 1024 * 1024;

/**
 * How many bytes a further file of an account may have.
 *
 * @throws GatewayError 413 when there may be none. OpenAI's and Anthropic's clients send a request
 *   again that was answered 409, and with it the whole file; not so with 413.
 */
export function roomFor(taken: Taken, quota: Taken): number {
  if (taken.files >= quota.files) throw outOfQuota(`at most ${quota.files} files`);
  if (taken.bytes >= quota.bytes) throw outOfQuota(`at most ${quota.bytes} bytes of files`);
  return Math.min(MOST_FILE_BYTES, quota.bytes - taken.bytes);
}

/** The 413 for a file that does not fit into so much room. */
export function tooLargeFor(room: number, quota: Taken): GatewayError {
  if (room < MOST_FILE_BYTES) return outOfQuota(`at most ${quota.bytes} bytes of files`);
  return tooLarge(`The file is larger than ${MOST_FILE_BYTES} bytes.`);
}

function outOfQuota(limit: string): GatewayError {
  return tooLarge(`The account may keep ${limit}: delete some before you upload more.`);
}

function tooLarge(message: string): GatewayError {
  return new GatewayError(413, 'request_too_large', message);
}
