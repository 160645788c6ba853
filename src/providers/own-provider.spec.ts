import { describe, expect, it } from '@jest/globals';
import { anthropic } from './anthropic/anthropic.js';
import { bedrock } from './bedrock/bedrock.js';
import { cohere } from './cohere/cohere.js';
import { google } from './google/google.js';
import { openai } from './openai/openai.js';
import { ownProvider } from './own-provider.js';

describe('a provider of the operator’s own', () => {
  it.each([
    ['openai', openai],
    ['anthropic', anthropic],
    ['gemini', google],
    ['cohere', cohere],
    ['converse', bedrock],
  ] as const)('in the format %s is left as the one that made it is', (format, maker) => {
    const own = ownProvider('mine', format, 'http://127.0.0.1:1');
    expect(own?.onDisconnect).toBe(maker.onDisconnect);
  });
});
