import { type Facts } from './recorded-answer.js';
import { type RecordedChat } from './recorded-chats.js';
import { converseAnswer } from './recorded-facts-converse.js';
import { cohereAnswer, geminiAnswer, ollamaAnswer } from './recorded-facts-others.js';
import { anthropicAnswer, openaiAnswer } from './recorded-facts-sdk.js';

type Json = Record<string, any>;

/** What the recorded answer says, read from the provider's documentation of its format. */
export function factsOf({ wire, response, asked }: RecordedChat): Facts {
  const pieces = piecesOf(response);
  switch (wire) {
    case 'anthropic':
      return anthropicAnswer(pieces);
    case 'openai':
      return openaiAnswer(pieces, asked?.stop);
    case 'gemini':
      return geminiAnswer(pieces);
    case 'converse':
      return converseAnswer(pieces);
    case 'cohere':
      return cohereAnswer(pieces);
    case 'ollama':
      return ollamaAnswer(pieces);
  }
}

/** The JSON objects of an answer: the body, or what a stream is made of. */
function piecesOf(response: RecordedChat['response']): Json[] {
  const { body, sse, ndjson, eventstream } = response;
  if (eventstream) return eventstream.map(eventOf);
  if (ndjson) return ndjson.map((line) => JSON.parse(line) as Json);
  if (!sse) return Array.isArray(body) ? body : [body];
  const data = sse.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
  // One recorder kept lines of JSON under this name.
  const lines = data.length > 0 ? data : sse.filter((line) => line !== '');
  return lines.map((line) => (line === '[DONE]' ? { done: true } : (JSON.parse(line) as Json)));
}

/** An event of AWS' binary streams; a Claude's own lie inside in base64. */
function eventOf({ headers, payload, decoded_bytes: inner }: Json): Json {
  if (inner) return inner as Json;
  const name = headers?.[':event-type'] ?? headers?.[':exception-type'];
  return { [name]: payload, ...(headers?.[':exception-type'] && { error: payload }) };
}
