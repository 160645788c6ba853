import { type ProviderError, type UpstreamReply } from '../../provider.js';
import { decodeError } from '../provider-error.js';

/**
 * A refusal of Anthropic's API. It documents `billing_error` with 402, and refuses an account without
 * money as a bad request: https://github.com/anthropics/claude-code/issues/66314
 */
export function decodeAnthropicError(reply: UpstreamReply): ProviderError | undefined {
  const said = decodeError(reply);
  if (!said || reply.status !== 400) return said;
  return { ...said, refusesKey: said.message.startsWith(WITHOUT_MONEY) };
}

const WITHOUT_MONEY = 'Your credit balance is too low';
