import { type Conversation, type Part } from './recorded-conversation.js';

type Json = Record<string, any>;

/** The same as a caller of the Messages API says it. */
export function asMessages(said: Conversation): Json {
  const { choice } = said;
  return {
    max_tokens: said.max ?? 1024,
    messages: said.turns.map(({ role, parts }) => ({ role, content: parts.map(block) })),
    ...(said.system.length > 0 && {
      system: said.system.map((text) => ({ type: 'text', text })),
    }),
    ...(said.tools.length > 0 && {
      tools: said.tools.map(({ name, description, schema }) => ({
        name,
        description: description ?? undefined,
        input_schema: schema ?? { type: 'object', properties: {} },
      })),
      tool_choice: choice && { type: choice.type, ...(choice.name && { name: choice.name }) },
    }),
    temperature: said.temperature,
    top_p: said.topP,
    stop_sequences: said.stop.length > 0 ? said.stop : undefined,
  };
}

/** The same as a caller of chat completions says it. */
export function asChat(said: Conversation): Json {
  const { choice } = said;
  return {
    messages: [
      ...said.system.map((text) => ({ role: 'system', content: text })),
      ...said.turns.flatMap(({ role, parts }) =>
        role === 'assistant' ? [assistant(parts)] : answers(parts),
      ),
    ],
    ...(said.tools.length > 0 && {
      tools: said.tools.map(({ name, description, schema: parameters }) => ({
        type: 'function',
        function: { name, description: description ?? undefined, parameters },
      })),
      tool_choice: choice?.name
        ? { type: 'function', function: { name: choice.name } }
        : choice?.type.replace('any', 'required'),
    }),
    max_completion_tokens: said.max,
    temperature: said.temperature,
    top_p: said.topP,
    stop: said.stop.length > 0 ? said.stop : undefined,
  };
}

function block(part: Part): Json {
  if ('text' in part) return { type: 'text', text: part.text };
  if ('call' in part) return { type: 'tool_use', ...part.call };
  if ('result' in part) {
    return { type: 'tool_result', tool_use_id: part.result.id, content: part.result.text };
  }
  // Ollama wants none.
  const { type = 'image/png', data, url } = part.image;
  const source =
    data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
  return { type: 'image', source };
}

function assistant(parts: readonly Part[]): Json {
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const calls = parts.flatMap((part) => ('call' in part ? [part.call] : []));
  return {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('\n') : null,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      })),
    }),
  };
}

function answers(parts: readonly Part[]): Json[] {
  const results = parts.flatMap((part) => ('result' in part ? [part.result] : []));
  const said = parts.flatMap((part): Json[] => {
    if ('text' in part) return [{ type: 'text', text: part.text }];
    if (!('image' in part)) return [];
    const { type, data, url } = part.image;
    const address = data === undefined ? url : `data:${type};base64,${data}`;
    return [{ type: 'image_url', image_url: { url: address } }];
  });
  return [
    ...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
    ...(said.length > 0 ? [{ role: 'user', content: said }] : []),
  ];
}
