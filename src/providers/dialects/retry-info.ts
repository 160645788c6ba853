import { isObject, listOf, textOf } from '../../json/values.js';

const RETRY_INFO = /(^|\/)google\.rpc\.RetryInfo$/;
const SECONDS = /^(\d+(?:\.\d+)?)s$/;

/**
 * After how many seconds Google wants to be asked again, which it says among an error's `details` and
 * in no header. https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
 */
export function retryInfoIn(details: unknown): { readonly retryAfter?: number } {
  for (const detail of listOf(details)) {
    if (!isObject(detail) || !RETRY_INFO.test(textOf(detail['@type']))) continue;
    const [, seconds] = SECONDS.exec(textOf(detail.retryDelay)) ?? [];
    if (seconds !== undefined) return { retryAfter: Number(seconds) };
  }
  return {};
}
