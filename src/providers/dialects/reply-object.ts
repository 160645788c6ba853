import { isObject } from '../../json/values.js';
import { type UpstreamReply } from '../provider.js';
import { brokenAnswer } from './broken-answer.js';

/**
 * The JSON object that a provider answered with.
 *
 * @throws GatewayError 502 when it is none.
 */
export function replyObject(reply: UpstreamReply | undefined): object {
  let value: unknown;
  try {
    value = reply?.json();
  } catch {
    throw brokenAnswer('The provider did not answer in JSON.');
  }
  if (isObject(value)) return value;
  throw brokenAnswer('The provider did not answer with a JSON object.');
}
