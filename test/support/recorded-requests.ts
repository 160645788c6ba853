import { type Wire } from './recorded-chats.js';
import { type Conversation, type Turn } from './recorded-conversation.js';
import { readConverse, readGemini } from './recorded-requests-clouds.js';
import { readChat, readMessages } from './recorded-requests-sdk.js';

type Json = Record<string, any>;

/** What a request in this format says; neighbours of one role are one turn. */
export function conversationOf(wire: Wire, body: Json): Conversation {
  const read = READERS[wire](body);
  const turns: Turn[] = [];
  for (const { role, parts } of read.turns) {
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ role, parts: [...parts] });
  }
  return { ...read, turns };
}

const READERS: Readonly<Record<Wire, (body: Json) => Conversation>> = {
  anthropic: readMessages,
  openai: readChat,
  gemini: readGemini,
  converse: readConverse,
  cohere: (body) => ({
    ...readChat({ ...body, top_p: body.p, stop: body.stop_sequences }),
    choice: body.tool_choice && { type: body.tool_choice === 'REQUIRED' ? 'any' : 'none' },
  }),
  ollama: ({ options = {}, ...body }) => {
    const { num_predict: max_tokens, temperature, top_p, stop } = options;
    return readChat({ ...body, max_tokens, temperature, top_p, stop, tool_choice: undefined });
  },
};
