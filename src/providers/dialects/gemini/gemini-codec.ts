import { type Codec } from '../../provider.js';
import { type GeminiHost } from './gemini-host.js';
import { generateContentBody } from './gemini-request.js';
import { messageOfAnswer } from './gemini-response.js';
import { eventsOfAnswers } from './gemini-stream.js';

/**
 * A conversation carried by Gemini's `generateContent`, wherever it is served. `anthropic-*` headers
 * are not sent: a beta and its field in the body go together.
 * https://ai.google.dev/api/generate-content
 */
export function geminiCodec(host: GeminiHost): Codec<'messages'> {
  return {
    encode(call) {
      const method = call.stream ? 'streamGenerateContent' : 'generateContent';
      return [
        {
          path: `${host.path(call.model.name, method, call.place)}${call.stream ? '?alt=sse' : ''}`,
          body: { json: generateContentBody(call, host) },
          framing: call.stream ? 'sse' : 'none',
        },
      ];
    },
    decode: ([reply], call) => messageOfAnswer(reply, call),
    decodeStream: eventsOfAnswers,
  };
}
