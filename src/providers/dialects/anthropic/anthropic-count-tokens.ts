import { tokenCount } from '../../../contract/usage.js';
import { type Relay } from '../../provider.js';
import { anthropicHeaders } from './anthropic-relay.js';
import { claudeEdits } from './claude-edits.js';

/** https://docs.anthropic.com/en/api/messages-count-tokens */
export const anthropicCountTokensRelay: Relay = {
  request: (call) => ({
    path: '/v1/messages/count_tokens',
    headers: anthropicHeaders(call.headers),
    edits: new Map([['model', JSON.stringify(call.model.name)], ...claudeEdits(call)]),
  }),

  reply(bytes) {
    try {
      const body = JSON.parse(bytes.toString()) as { input_tokens?: unknown } | null;
      if (tokenCount(body?.input_tokens) === undefined) return undefined;
      return { usage: undefined, splices: new Map(), outputBytes: 0 };
    } catch {
      return undefined;
    }
  },
};
