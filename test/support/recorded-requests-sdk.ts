import { argumentsOf } from './recorded-answer.js';
import {
  type Conversation,
  emptyConversation,
  type Part,
  settings,
} from './recorded-conversation.js';

type Json = Record<string, any>;

/** https://docs.anthropic.com/en/api/messages */
export function readMessages(body: Json): Conversation {
  const said = emptyConversation();
  said.system.push(...blocksIn(body.system).map(({ text }) => text as string));
  for (const { role, content } of body.messages as Json[]) {
    const parts = blocksIn(content).flatMap((block): Part[] => {
      const { type, source } = block;
      if (type === 'text') return [{ text: block.text }];
      if (type === 'image' && source.type !== 'file') {
        return [{ image: { type: source.media_type, data: source.data, url: source.url } }];
      }
      if (type === 'tool_use')
        return [{ call: { id: block.id, name: block.name, input: block.input } }];
      if (type === 'tool_result') {
        const inner = blocksIn(block.content);
        if (inner.some((one) => one.type !== 'text')) said.odd.push('a result of more than text');
        const text = inner.map((one) => one.text).join('\n');
        return [{ result: { id: block.tool_use_id, text } }];
      }
      if (type !== 'thinking') said.odd.push(`block ${type}`);
      return [];
    });
    if (role === 'system') said.odd.push('a system turn');
    said.turns.push({ role, parts });
  }
  for (const { type, name, description, input_schema: schema } of (body.tools ?? []) as Json[]) {
    if (type && type !== 'custom') said.odd.push(`tool ${type}`);
    else said.tools.push({ name, description, schema });
  }
  said.choice = body.tool_choice && { type: body.tool_choice.type, name: body.tool_choice.name };
  const { max_tokens: max, temperature, top_p: topP, stop_sequences: stop } = body;
  return { ...said, ...settings({ max, temperature, topP, stop }) };
}

/** https://platform.openai.com/docs/api-reference/chat, and Cohere's and Ollama's, which are alike. */
export function readChat(body: Json): Conversation {
  const said = emptyConversation();
  for (const message of body.messages as Json[]) {
    const { role, content, tool_call_id: id, images } = message;
    const parts = blocksIn(content).flatMap((part) => chatPart(part, said.odd));
    for (const data of (images ?? []) as string[]) parts.push({ image: { data } });
    for (const { id: callId, function: called } of (message.tool_calls ?? []) as Json[]) {
      const input = argumentsOf(called?.arguments);
      if (typeof input !== 'object' || input === null)
        said.odd.push('arguments that are no object');
      parts.push({ call: { id: callId, name: called?.name, input } });
    }
    const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
    if (['function_call', 'audio', 'prefix'].some((field) => message[field])) said.odd.push(role);
    if (role === 'system' || role === 'developer') {
      if (said.turns.length > 0) said.odd.push('a system turn');
      said.system.push(text);
    } else if (role === 'tool') {
      if (typeof id !== 'string') said.odd.push('a result without an id');
      said.turns.push({ role: 'user', parts: [{ result: { id, text } }] });
    } else if (role === 'function') said.odd.push('function');
    else said.turns.push({ role, parts });
  }
  for (const { type, function: called, ...flat } of (body.tools ?? []) as Json[]) {
    const { name, description, parameters: schema } = called ?? flat;
    if (type !== undefined && type !== 'function') said.odd.push(`tool ${type}`);
    else said.tools.push({ name, description, schema });
  }
  const onlyHere = ['functions', 'audio', 'documents', 'web_search_options', 'logprobs'];
  said.odd.push(...onlyHere.filter((field) => body[field]));
  if (body.n > 1) said.odd.push('several answers');
  said.choice = chatChoice(body.tool_choice);
  const { temperature, top_p: topP } = body;
  const max = body.max_completion_tokens ?? body.max_tokens;
  const stop = body.stop && [body.stop].flat();
  return { ...said, ...settings({ max, temperature, topP, stop }) };
}

function chatPart(part: Json, odd: string[]): Part[] {
  if (part.type === 'text') return [{ text: part.text }];
  if (part.type === 'image_url') {
    const url = part.image_url.url ?? part.image_url;
    const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
    return [{ image: data === undefined ? { url } : { type, data } }];
  }
  if (part.type !== 'thinking') odd.push(`part ${part.type}`);
  return [];
}

function chatChoice(choice: any): Conversation['choice'] {
  if (choice === undefined || choice === null) return undefined;
  const name = choice.function?.name;
  if (name) return { type: 'tool', name };
  return { type: ['required', 'any'].includes(choice) ? 'any' : String(choice) };
}

function blocksIn(content: unknown): Json[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content as (Json | string)[])
    .map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part))
    .filter((part) => part.text !== '');
}
