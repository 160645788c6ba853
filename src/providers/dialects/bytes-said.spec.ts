import { describe, expect, it } from '@jest/globals';
import { bytesSaid } from './bytes-said.js';

const LONG = 'x'.repeat(9_000);

describe('bytesSaid', () => {
  it.each([
    ['a text', [{ type: 'text', text: '你好', citations: [{ cited_text: LONG }] }], 6],
    ['thinking', [{ type: 'thinking', thinking: 'hm', signature: LONG }], 2],
    ['thinking that is hidden', [{ type: 'redacted_thinking', data: LONG }], 0],
    ['a call', [{ type: 'tool_use', id: LONG, name: 'f', input: { a: 'é' } }], 10],
    ['what was found', [{ type: 'web_search_tool_result', content: [{ text: LONG }] }], 0],
    ['a choice', [{ index: 0, message: { role: 'assistant', content: 'ok', refusal: null } }], 2],
    ['two choices', [{ message: { content: 'one' } }, { message: { content: 'other' } }], 8],
    ['reasoning', [{ message: { reasoning_content: 'so', reasoning_details: [LONG] } }], 2],
    ['calls of a chat', [{ message: { tool_calls: [{ function: { arguments: '{}' } }] } }], 2],
    ['an image', [{ message: { content: 'here', images: [{ image_url: { url: LONG } }] } }], 4],
    ['parts', [{ message: { content: [{ type: 'thinking', thinking: [{ text: 'hm' }] }] } }], 2],
    ['an item', [{ type: 'message', content: [{ type: 'output_text', text: 'ok' }] }], 2],
    ['an item of reasoning', [{ summary: [{ text: 'so' }], encrypted_content: LONG }], 2],
    ['an item of a call', [{ type: 'function_call', call_id: LONG, arguments: '{}' }], 2],
    ['a drawing', [{ type: 'image_generation_call', result: LONG }], 0],
    ['nothing', [null, 1, 'said', {}], 4],
  ])('counts %s', (_, answer, bytes) => {
    expect(bytesSaid(answer)).toBe(bytes);
  });
});
