import { describe, expect, it } from '@jest/globals';
import { messagesCall } from '../../../test/support/translation.js';
import { anthropicRelay } from './anthropic-relay.js';
import { bedrockAnthropicRelay } from './bedrock-anthropic-relay.js';

/** The thinking and the effort that a relayed request has in the end. */
function relayed(model: string, fields: object) {
  const call = { ...messagesCall({ model }), body: { max_tokens: 32_000, ...fields } };
  const relay = model.startsWith('bedrock/') ? bedrockAnthropicRelay : anthropicRelay;
  const { edits } = relay.request(call as never);
  const after = { ...fields } as Record<string, unknown>;
  for (const [name, json] of edits) {
    after[name] = json === undefined ? undefined : JSON.parse(String(json));
  }
  return { thinking: after.thinking, output_config: after.output_config };
}

describe('adaptive thinking on its way through a relay', () => {
  const asked = { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };
  const budget = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens });

  it.each([
    ['anthropic/claude-opus-4-8', asked.thinking, asked.output_config],
    ['anthropic/claude-sonnet-4-6', asked.thinking, asked.output_config],
    ['anthropic/some-alias', asked.thinking, asked.output_config],
    ['deepseek/deepseek-chat', asked.thinking, asked.output_config],
    ['anthropic/claude-opus-4-5-20251101', budget(16_000), asked.output_config],
    ['anthropic/claude-haiku-4-5', budget(16_000), undefined],
    ['bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0', budget(16_000), undefined],
    ['anthropic/claude-3-5-haiku-latest', undefined, undefined],
  ])('is for %s what it knows', (model, thinking, output_config) => {
    expect(relayed(model, asked)).toEqual({ thinking, output_config });
  });

  it('leaves a budget, and an effort without adaptive thinking, as the caller has them', () => {
    const own = { thinking: budget(5), output_config: { effort: 'max', format: { type: 'x' } } };
    expect(relayed('anthropic/claude-haiku-4-5', own)).toEqual(own);
    const none = { output_config: { effort: 'high' } };
    expect(relayed('anthropic/claude-haiku-4-5', none)).toMatchObject(none);
  });

  it('keeps the format of an answer whose effort goes, and thinks not at all in no room', () => {
    const format = { type: 'json_schema', schema: {} };
    const fields = { ...asked, output_config: { effort: 'low', format } };
    expect(relayed('anthropic/claude-haiku-4-5', fields).output_config).toEqual({ format });
    const cramped = { ...asked, max_tokens: 1_500 };
    expect(relayed('anthropic/claude-haiku-4-5', cramped).thinking).toBeUndefined();
  });
});
