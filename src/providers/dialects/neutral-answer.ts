import {
  type NeutralBlock,
  type NeutralMessage,
  type NeutralUsage,
} from '../../contract/neutral.js';
import { type Usage } from '../../contract/usage.js';
import { type CallContext } from '../provider.js';

/** Why a message ended, in Anthropic's words. */
export interface Stop {
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  /** Only where a filter ended it. */
  readonly stop_details?: object;
}

/**
 * The end of an answer that a provider's filter cut, in Anthropic's words; `stop_reason` is null, as
 * none of the contract's four words means it. https://docs.anthropic.com/en/api/messages
 */
export function filteredStop(explanation: string | null = null): Stop {
  const stop_details = { type: 'refusal', category: null, explanation };
  return { stop_reason: null, stop_sequence: null, stop_details };
}

/** A whole answer. */
export function neutralMessage(
  call: CallContext<'messages'>,
  { content, stop, usage }: Answer,
): NeutralMessage {
  return {
    id: messageId(call),
    type: 'message',
    role: 'assistant',
    model: call.model.id,
    content,
    ...stop,
    usage,
  };
}

interface Answer {
  readonly content: readonly NeutralBlock[];
  readonly stop: Stop;
  readonly usage: NeutralUsage | undefined;
}

/** Our own id of the answer, the same whenever it is asked for. */
export function messageId(call: CallContext<'messages'>): string {
  return `msg_${call.id.replace(/^req_/, '')}`;
}

/**
 * The counts as Anthropic names them, with those of thinking where the provider tells them, and of sound,
 * which is priced apart, also when it is read back from the end of a stream.
 */
export function neutralUsage(usage: Usage, thinking?: number): NeutralUsage {
  const { audioInputTokens: audio_tokens, cachedAudioInputTokens: cached_audio_tokens } = usage;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    ...(usage.webSearches > 0 && {
      server_tool_use: { web_search_requests: usage.webSearches, web_fetch_requests: 0 },
    }),
    ...(audio_tokens + cached_audio_tokens > 0 && {
      input_tokens_details: { audio_tokens, cached_audio_tokens },
    }),
    ...(thinking !== undefined && {
      output_tokens_details: { thinking_tokens: Math.min(thinking, usage.outputTokens) },
    }),
  };
}
