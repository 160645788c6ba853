import { describe, expect, it } from '@jest/globals';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { proofOf, returnedThinking } from './openai-chat-thinking.js';
import { placed } from '../placed-blocks.js';
import { marked } from '../proof-marks.js';

const ISSUER = 'openrouter';
const thought = (signature: string) => ({ type: 'thinking', thinking: 'Hm', signature });
const returned = (...blocks: NeutralBlock[]) =>
  returnedThinking(placed(blocks, 'messages[0].content'), ISSUER).fields;

describe('thinking that goes back to its issuer', () => {
  it('has the detail that it came with, and its text', () => {
    const detail = { type: 'reasoning.text', signature: 's', format: 'f', index: 0 };
    expect(returned(thought(proofOf(ISSUER, detail)))).toEqual({
      reasoning_details: [{ ...detail, text: 'Hm' }],
    });
    const data = proofOf(ISSUER, { type: 'reasoning.encrypted', data: 'x'.repeat(100_000) });
    expect(returned({ type: 'redacted_thinking', data }).reasoning_details).toHaveLength(1);
  });

  it.each([
    ['no JSON', '{"type":'],
    ['no object', '5'],
    ['far more than a detail', `{"a":[${'{},'.repeat(1_000)}{}]}`],
  ])('is nobody’s where its proof holds %s', (_, proof) => {
    expect(returned(thought(marked(ISSUER, proof)))).toEqual({});
  });
});
