import { describe, expect, it } from '@jest/globals';
import { blockMarked, blockUnmarked, eventMarked } from './anthropic-proofs.js';

const mine = { name: 'glm-5', provider: 'mine' };
const claude = { name: 'claude-opus-5', provider: 'mine' };
const thought = (signature: string) => ({ type: 'thinking', thinking: 'Hm', signature });
const sealed = (data: string) => ({ type: 'redacted_thinking', data });

describe('proofs of a model that speaks Anthropic’s format', () => {
  it.each([
    [thought('s'), thought('cw1.messages-mine.s')],
    [sealed('s'), sealed('cw1.messages-mine.s')],
  ])('are marked for the caller, and bare again for their issuer: %j', (block, told) => {
    expect(blockMarked(block, mine)).toEqual(told);
    expect(blockUnmarked(told, mine)).toEqual(block);
    expect(blockUnmarked(told, { ...mine, provider: 'other' })).toBeUndefined();
    expect(blockUnmarked(block, mine)).toBeUndefined();
  });

  it.each([thought(''), thought('cw1.gemini.s'), { type: 'text', text: 's' }])(
    'are none in what has none, or another’s: %j',
    (block) => {
      expect(blockMarked(block, mine)).toBe(block);
    },
  );

  it.each([claude, { name: 'experiment-7', provider: 'anthropic' }])(
    'are Anthropic’s: %j',
    (model) => {
      const block = thought('s');
      expect(blockMarked(block, model)).toBe(block);
      const data = JSON.stringify({ delta: { type: 'signature_delta', signature: 's' } });
      expect(eventMarked({ name: undefined, data }, model)).toBeUndefined();
    },
  );

  it.each([
    ['delta', { type: 'signature_delta', signature: 's' }, 'signature'],
    ['content_block', sealed('s'), 'data'],
    ['content_block', thought('s'), 'signature'],
  ])('are marked in events, of which nothing else changes: %s', (member, block, field) => {
    const event = { type: 'x', index: 2, [member]: block, more: 12 };
    const told = eventMarked({ name: 'x', data: JSON.stringify(event) }, mine);
    const marked = { ...block, [field]: 'cw1.messages-mine.s' };
    expect(told).toBe(JSON.stringify({ ...event, [member]: marked }));
  });

  it.each([
    '{"delta":{"type":"signature_delta","signature":""}}',
    '{"data":"s"}',
    '"data":"s"',
    '',
  ])('are none in other events: %s', (data) => {
    expect(eventMarked({ name: 'x', data }, mine)).toBeUndefined();
  });
});
