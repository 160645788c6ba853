import { type Fields } from '../../json/values.js';
import { type CallContext } from '../provider.js';

/**
 * What a chat says that Responses have under the same name, and the neutral shape has not; undefined for the
 * request of a caller of another format.
 * https://developers.openai.com/api/docs/guides/migrate-to-responses
 */
export function chatWords({ chat }: Pick<CallContext<'messages'>, 'chat'>): Fields | undefined {
  return chat && { service_tier: chat.service_tier };
}
