import { describe, expect, it } from '@jest/globals';
import { askedBy, waysOf } from '../../../test/support/translation.js';
import { type NeutralBlock } from '../../contract/neutral.js';
import { cohereCodec } from './cohere/cohere-codec.js';
import { converseCodec } from './converse/converse-codec.js';
import { geminiDialect } from './gemini/gemini-dialect.js';
import { ollamaCodec } from './ollama/ollama-dialect.js';
import { openaiChatCodec } from './openai-chat/openai-chat-codec.js';
import { responsesCodec } from './responses/responses-codec.js';

const CODECS = {
  openai: openaiChatCodec,
  responses: responsesCodec,
  gemini: geminiDialect.messages[0].codec,
  converse: converseCodec,
  cohere: cohereCodec,
  ollama: ollamaCodec,
};

describe.each(Object.entries(CODECS))('what is said to %s', (_, codec) => {
  const { sent } = waysOf(codec);

  it.each<[string, (lack: unknown) => NeutralBlock]>([
    [
      'title',
      (title) => ({ type: 'search_result', source: 'https://x.test', title, content: 'y' }),
    ],
    ['content', (content) => ({ type: 'search_result', source: 's', title: 'X', content })],
    ['source.content', (content) => ({ type: 'document', source: { type: 'content', content } })],
  ])('is not a block without its %s', (field, blockOf) => {
    for (const lack of [undefined, null]) {
      expect(() => sent(askedBy([blockOf(lack)]))).toThrow(
        expect.objectContaining({
          status: 400,
          details: expect.objectContaining({ param: `messages[0].content[0].${field}` }),
        }),
      );
    }
    expect(JSON.stringify(sent(askedBy([blockOf('here')])))).toMatch(/here|aGVyZQ==/);
  });

  it('is told that a source has no type', () => {
    const image: NeutralBlock = {
      type: 'image',
      source: { media_type: 'image/png', data: 'AA==' },
    };
    expect(() => sent(askedBy([image]))).toThrow(
      /^messages\[0\]\.content\[0\]\.source\.type: must be (?:a string|base64)/,
    );
  });
});
