import { type ServerEvent } from '../../src/providers/provider.js';
import { parsed, type StreamedEvent } from './recorded-expectation.js';
import { MODELS } from './scripted-upstream.js';
import { sse } from './scripted-upstream-wire.js';
import { assembled } from './translation.js';

/** The models that are translated for a caller of the Messages API, by their format. */
export const TRANSLATED = Object.entries(MODELS).filter(([format]) => format !== 'anthropic');
export const EVERY = Object.entries(MODELS);
export const CLAUDE = MODELS.anthropic;
export const GPT = MODELS.openai;
export const GEMINI = MODELS.gemini;
export const NOVA = MODELS.converse;

/** A Messages request. */
export const ask = (model: string, more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
});

export const user = (...content: object[]) => ({ role: 'user', content });
export const assistant = (...content: object[]) => ({ role: 'assistant', content });
export const text = (said: string) => ({ type: 'text', text: said });
export const use = (id: string, name = 'read', input: object = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const result = (id: string, content: unknown = 'fine') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
export const tool = (name: string) => ({
  name,
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
});

/** The events of a stream but for its pings. */
export function eventsIn(stream: string): StreamedEvent[] {
  return parsed(stream.split('\n')).filter(({ name }) => name !== 'ping');
}

/** What a client puts together from a Messages stream. @throws Error for an order that SDKs do not take. */
export function messageIn(stream: string): ReturnType<typeof assembled> {
  return assembled(serverEvents(stream));
}

async function* serverEvents(stream: string): AsyncGenerator<ServerEvent> {
  for (const { name, data } of eventsIn(stream)) {
    yield await Promise.resolve({ name, data: JSON.stringify(data) });
  }
}

/** A chunk of a chat completion. */
export function chunk(delta: object, finish_reason: string | null = null, more: object = {}) {
  const choices = [{ index: 0, delta, finish_reason }];
  return sse({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices,
    ...more,
  });
}

/** A piece of a call in such a chunk. */
export function called(index: number, fields: { id?: string; name?: string; arguments?: string }) {
  const { id, ...call } = fields;
  return { tool_calls: [{ index, ...(id && { id, type: 'function' }), function: call }] };
}

export const DONE = sse('[DONE]');
