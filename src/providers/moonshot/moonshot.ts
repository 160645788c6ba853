import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { type ChatQuirks } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiCompatible } from '../openai-compatible.js';
import { type Dialect } from '../provider.js';
import { models } from './models.js';

/** https://platform.kimi.ai/docs/api/models-overview */
const KIMI: ChatQuirks = {
  thinkingHistory: 'required',
  thinksIn: ['reasoning_content'],
  refusedByReasoning: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
  mostStops: 5,
  temperatures: [0, 1],
};

/** Refused beside `thinking`, and nothing to those that know no effort. */
const EFFORTLESS = { reasoning_effort: undefined } as const;

/**
 * Moonshot AI. Kimi K3 always thinks, as much as an effort says; the K2.7 models always do, and refuse to be told
 * not to. https://platform.moonshot.ai/docs/api/chat, https://platform.kimi.ai/docs/guide/use-thinking-effort
 */
export const moonshot = openaiCompatible({
  name: 'moonshot',
  baseUrl: 'https://api.moonshot.ai/v1',
  models,
  endpoints: {
    messages: [
      // "tool_choice 'specified' is incompatible with thinking enabled"
      // https://github.com/can1357/oh-my-pi/issues/1077
      ofModels(/^kimi-k3/, { ...KIMI, namesNoTool: true }),
      ofModels(/^kimi-k2\.7/, { ...KIMI, fields: EFFORTLESS }),
      chatDialect({ ...KIMI, fields: EFFORTLESS, thinkingSwitch: 'thinking' }),
    ],
  },
});

function ofModels(names: RegExp, quirks: ChatQuirks): Dialect<'messages'> {
  return { ...chatDialect(quirks), serves: ({ name }) => names.test(name) };
}
