import { type CallContext, type ProviderError, type ServerEvent } from '../provider.js';
import { type NeutralUsage } from '../../contract/neutral.js';
import { type Usage } from '../../contract/usage.js';
import { BROKEN_OFF } from './broken-answer.js';
import { statusIn } from './error-status.js';
import { messageId, neutralUsage, type Stop } from './neutral-answer.js';

/** An event of a Messages stream. https://docs.anthropic.com/en/api/messages-streaming */
export function messageEvent(type: string, fields: object = {}): ServerEvent {
  return { name: type, data: JSON.stringify({ type, ...fields }) };
}

/** The first event: the input is our estimate until the provider has said what it was. */
export function messageStart(call: CallContext<'messages'>): ServerEvent {
  const start = messageEvent('message_start', {
    message: {
      id: messageId(call),
      type: 'message',
      role: 'assistant',
      model: call.model.id,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: call.inputEstimate, output_tokens: 1 },
    },
  });
  return { ...start, isEstimate: true };
}

/** The last two events, with the provider's own counts where there were any. */
export function* messageEnd(
  stop: Stop,
  usage: Usage | undefined,
  thinking?: number,
): Generator<ServerEvent> {
  const counts = usage && neutralUsage(usage, thinking);
  yield { ...messageEvent('message_delta', { delta: stop, usage: counts }), spent: usage };
  yield messageEvent('message_stop');
}

/**
 * The counts for the last event. Where more of the answer came behind what the provider has reported, how
 * much it wrote is not known, and left out: then what was seen is counted.
 */
export function finalCounts(
  usage: NeutralUsage,
  { isOutdated }: { readonly isOutdated: boolean },
): Partial<NeutralUsage> {
  const { output_tokens, ...others } = usage;
  return isOutdated ? others : usage;
}

/** No event for the caller: what the provider has reported in the middle of its answer. */
export function usageReport(spent: Usage): ServerEvent {
  return { name: undefined, data: '', spent };
}

/**
 * The event of a stream that the provider itself broke off.
 *
 * @param spent what it reported for the answer all the same.
 */
export function messageError(said: ProviderError | undefined, spent?: Usage): ServerEvent {
  const type = (said && ERROR_TYPES[statusIn(said)]) ?? 'api_error';
  const message = said?.message ?? BROKEN_OFF;
  return { ...messageEvent('error', { error: { type, message } }), spent, said };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
