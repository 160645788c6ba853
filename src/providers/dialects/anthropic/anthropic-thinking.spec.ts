import { describe, expect, it } from '@jest/globals';
import { messagesCall } from '../../../../test/support/translation.js';
import { anthropicRelay } from './anthropic-relay.js';
import { messagesBody } from './anthropic-request.js';
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

/** All that changes in a relayed request, but for its model. */
function changed(model: string, body: object): object {
  const { edits } = anthropicRelay.request({ ...messagesCall({ model }), body } as never);
  const { model: _model, ...others } = Object.fromEntries(edits);
  return Object.fromEntries(
    Object.entries(others).map(([name, json]) => [name, json && JSON.parse(String(json))]),
  );
}

const adaptive = { type: 'adaptive' };

/** The thinking of a request that is written anew. */
function written(model: string, fields: object): unknown {
  const call = messagesCall({ model, max_tokens: 32_000, ...fields });
  return messagesBody(call).thinking;
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

describe('a model that the caller did not name', () => {
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  const asked = { model: 'anthropic/claude-sonnet-4-5', max_tokens: 9_000, thinking, messages: [] };
  const opus = 'anthropic/claude-opus-4-7';

  it('thinks as it can, as much as the budget was', () => {
    const adapted = { thinking: adaptive, output_config: { effort: 'low' } };
    expect(changed(opus, asked)).toEqual(adapted);
    expect(changed(opus, { ...asked, model: '@router' })).toEqual(adapted);
    expect(changed('anthropic/claude-haiku-4-5', asked)).toEqual({});
    expect(changed('anthropic/minimax-m2', asked)).toEqual({});
  });

  it('is not told how to sample where it refuses that', () => {
    const plain = { model: asked.model, max_tokens: 9, messages: [], temperature: 0, top_k: 4 };
    expect(changed(opus, plain)).toEqual({ temperature: undefined, top_k: undefined });
    expect(changed('anthropic/claude-haiku-4-5', plain)).toEqual({});
  });

  it('is no hotter than a Claude can be', () => {
    const hot = { model: 'openai/gpt-4o', max_tokens: 9, messages: [], temperature: 1.4 };
    expect(changed('anthropic/claude-haiku-4-5', hot)).toEqual({ temperature: 1 });
    const named = { ...hot, model: 'anthropic/claude-haiku-4-5' };
    expect(changed('anthropic/claude-haiku-4-5', named)).toEqual({});
  });

  it('is another than the one that was named, which gets what the caller says', () => {
    expect(changed(opus, { ...asked, model: opus, temperature: 0 })).toEqual({});
  });
});

describe('thinking amid tool calls', () => {
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  const asked = { role: 'user', content: 'What is the time?' };
  const use = { type: 'tool_use', id: 't1', name: 'clock', input: {} };
  const result = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: 'noon' }],
  };
  const begun = (...blocks: object[]) => [asked, { role: 'assistant', content: blocks }, result];
  const own = { type: 'thinking', thinking: 'hm', signature: 'EqQB' };
  const sealed = { type: 'redacted_thinking', data: 'EqQB' };
  const foreign = { type: 'thinking', thinking: 'hm', signature: 'cw1.gemini.abc' };
  const later = { role: 'assistant', content: [{ ...use, id: 't2' }] };

  it.each([
    ['began', begun(own, use)],
    ['began sealed', begun(sealed, use)],
    ['goes on after it', [...begun(own, use), later, result]],
    ['has ended', [...begun(use), { role: 'assistant', content: 'Noon.' }, asked]],
    ['is none', [asked]],
  ])('goes on as asked where the loop %s', (_, messages) => {
    const fields = { thinking, messages };
    expect(relayed('anthropic/claude-sonnet-4-5', fields).thinking).toEqual(thinking);
    expect(written('anthropic/claude-sonnet-4-5', fields)).toEqual(thinking);
  });

  it('goes on in a thread, whose calls Anthropic keeps, but not at a model that was not named', () => {
    const thread = { type: 'continue', previous_message_id: 'msg_1' };
    const fields = { thread, messages: [result] };
    const sonnet = 'anthropic/claude-sonnet-4-5';
    expect(changed(sonnet, { ...fields, thinking, model: sonnet })).toEqual({});
    const budget = { type: 'enabled', budget_tokens: 4_000 };
    expect(
      changed(sonnet, { ...fields, thinking: adaptive, model: sonnet, max_tokens: 8_000 }),
    ).toEqual({ thinking: budget });
    const instead = { ...fields, thinking, model: 'anthropic/claude-opus-4-8' };
    expect(changed(sonnet, instead)).toHaveProperty('thinking', { type: 'disabled' });
    const later = { ...fields, messages: [...begun(use)], thinking, model: sonnet };
    expect(changed(sonnet, later)).toHaveProperty('thinking', { type: 'disabled' });
  });

  it.each([
    ['did not think', begun(use)],
    ['spoke first', begun({ type: 'text', text: 'Let me look.' }, use)],
    ['thought elsewhere', begun(foreign, use)],
    ['went on without', [...begun(foreign, use), later, result]],
    ['said no more', [...begun(use), { role: 'assistant', content: [foreign] }, asked]],
  ])('is off where another model began and %s', (_, messages) => {
    const fields = { thinking, messages };
    for (const model of ['anthropic/claude-sonnet-4-5', 'bedrock/anthropic.claude-opus-4-5']) {
      expect(relayed(model, fields).thinking).toEqual({ type: 'disabled' });
    }
    expect(
      relayed('anthropic/claude-haiku-4-5', { ...fields, thinking: adaptive }).thinking,
    ).toEqual({
      type: 'disabled',
    });
    expect(written('anthropic/claude-sonnet-4-5', fields)).toEqual({ type: 'disabled' });
    // Adaptive thinking begins wherever it likes.
    expect(
      relayed('anthropic/claude-opus-4-8', { ...fields, thinking: adaptive }).thinking,
    ).toEqual(adaptive);
  });
});
