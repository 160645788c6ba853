import { describe, expect, it } from '@jest/globals';
import { modelNamed, replyOf } from '../../../../test/support/translation.js';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type CallContext } from '../../provider.js';
import { geminiCountTokens, vertexGeminiCountTokens } from './gemini-count-tokens.js';

const context: CallContext<'count-tokens'> = {
  request: {
    model: 'google/gemini-3.8-flash',
    system: 'Be brief.',
    max_tokens: 5,
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any' },
  },
  model: modelNamed('google/gemini-3.8-flash'),
  place: { project: 'p', region: 'global' },
  headers: {},
  stream: false,
  inputEstimate: 1,
  id: 'req_1',
  created: 0,
};

const counted = {
  contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object' } }] }],
};

describe('counting tokens', () => {
  it('asks for the whole prompt, wrapped on the Gemini API and plain on Vertex', () => {
    expect(geminiCountTokens.encode(context)).toEqual([
      {
        path: '/v1beta/models/gemini-3.8-flash:countTokens',
        body: {
          json: { generateContentRequest: { model: 'models/gemini-3.8-flash', ...counted } },
        },
        framing: 'none',
      },
    ]);
    expect(vertexGeminiCountTokens.encode(context)).toEqual([
      {
        path: '/v1/projects/p/locations/global/publishers/google/models/gemini-3.8-flash:countTokens',
        body: { json: counted },
        framing: 'none',
      },
    ]);
  });

  it.each([
    ['{"totalTokens":31,"promptTokensDetails":[]}', 31],
    ['{}', 0],
  ])('reads %s', (body, input_tokens) => {
    expect(geminiCountTokens.decode([replyOf(body)], context).result).toEqual({ input_tokens });
  });

  it.each([
    '',
    '[]',
    'null',
    '{"totalTokens":"5"}',
    '{"totalTokens":-1}',
    '{"error":{"code":503,"message":"down","status":"UNAVAILABLE"}}',
    '{"error":"down"}',
  ])('refuses %j as broken', (body) => {
    expect(() => geminiCountTokens.decode([replyOf(body)], context)).toThrow(GatewayError);
  });
});
