import { describe, expect, it } from '@jest/globals';
import { type Format } from '../../contract/endpoint.js';
import { type Model } from '../../contract/model.js';
import { type Target } from '../provider.js';
import { conversationWay } from '../serves.js';
import { openai } from './openai.js';

const [inChat, inResponses] = openai.endpoints.messages!;
const chat = { relay: inChat!.relay, format: 'openai' };
const byChat = { codec: inChat!.codec, format: 'openai' };
const responses = { relay: inResponses!.relay, format: 'responses' };
const byResponses = { codec: inResponses!.codec, format: 'responses' };
const tools = [{ name: 'now' }];

describe('openai', () => {
  it.each<[string, Format, object, object]>([
    ['gpt-4o', 'openai', { tools }, chat],
    ['gpt-4o', 'anthropic', { tools }, byChat],
    ['gpt-4o', 'responses', {}, responses],
    // Their tools are in Responses alone.
    ['gpt-6.1-sol', 'openai', {}, chat],
    ['gpt-6.1-sol', 'openai', { tools: [] }, chat],
    ['gpt-6.1-sol', 'openai', { tools }, byResponses],
    ['gpt-6.1-sol', 'openai', { functions: tools }, byResponses],
    ['gpt-6.1-sol', 'anthropic', {}, byChat],
    ['gpt-6.1-sol', 'anthropic', { tools }, byResponses],
    // So they are where the model reasons, which these do unasked.
    ['gpt-6-sol', 'anthropic', { tools }, byResponses],
    ['gpt-5.6-terra', 'anthropic', { tools }, byResponses],
    ['gpt-5.5', 'anthropic', { tools, stream: true }, byResponses],
    ['gpt-5.6-terra', 'openai', { tools }, byResponses],
    ['gpt-5.6-terra', 'openai', { tools, reasoning_effort: 'low' }, byResponses],
    ['gpt-5.6-terra', 'openai', { tools, reasoning_effort: 'none' }, chat],
    ['gpt-5.6-terra', 'openai', { tools, model: 'xai/x', reasoning_effort: 'none' }, byResponses],
    ['gpt-5.6-terra', 'openai', { reasoning_effort: 'low' }, chat],
    ['gpt-5.6-terra', 'responses', { tools }, responses],
    // These do not unless they are asked.
    ['gpt-5.4', 'openai', { tools }, chat],
    ['gpt-5.4', 'anthropic', { tools }, byChat],
    ['gpt-5.4', 'openai', { tools, reasoning_effort: 'none' }, chat],
    ['gpt-5.4-mini', 'openai', { tools, reasoning_effort: 'low' }, byResponses],
    ['gpt-5.4', 'openai', { functions: tools, reasoning: { effort: 'low' } }, byResponses],
    ['gpt-5.4', 'openai', { tools, reasoning: { enabled: false } }, chat],
    ['gpt-5.4', 'anthropic', { tools, thinking: { type: 'enabled' } }, byResponses],
    ['gpt-5.4', 'anthropic', { tools, output_config: { effort: 'low' } }, byResponses],
    ['gpt-5.4', 'anthropic', { tools, thinking: { type: 'adaptive' } }, byResponses],
    // Without an effort it can be stopped by a text, which Responses do not know.
    [
      'gpt-5.4',
      'anthropic',
      { tools, thinking: { type: 'adaptive' }, stop_sequences: ['a'] },
      byChat,
    ],
    ['gpt-5.4', 'anthropic', { tools, thinking: { type: 'disabled' } }, byChat],
    ['gpt-5.2', 'openai', { tools, reasoning_effort: 'low' }, chat],
    ['gpt-5.4-chat-latest', 'openai', { tools, reasoning_effort: 'low' }, chat],
    // They are in Responses alone, also when the operator has added them.
    ['gpt-5.5-pro', 'openai', {}, byResponses],
    ['gpt-5.5-pro-2026-04-23', 'anthropic', {}, byResponses],
    ['gpt-5.3-codex', 'responses', {}, responses],
    ['o3-deep-research', 'anthropic', {}, byResponses],
  ])('carries %s for a caller in the format %s with %j', (name, format, body, way) => {
    const connection = { provider: openai, baseUrl: new URL('https://x.test'), place: {} };
    const target = { model: { name, id: `openai/${name}` } as Model, connection } as Target;
    expect(conversationWay(target, format, body)).toEqual(way);
  });
});
