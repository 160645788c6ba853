import { describe, expect, it } from '@jest/globals';
import { shapeOf } from './request-shape.js';

const needsOf = (...messages: object[]) => [...shapeOf({ messages }).needs];
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const result = (...content: object[]) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content }],
});

describe('shapeOf', () => {
  it('finds a picture in a document that a tool gave back', () => {
    const document = { type: 'document', source: { type: 'content', content: [image] } };
    expect(needsOf(result(document))).toContain('image_input');
    expect(needsOf(result({ type: 'text', text: 'none' }))).not.toContain('image_input');
  });

  it.each([
    ['Messages', [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f' }] }]],
    ['a chat', [{ role: 'assistant', content: null, tool_calls: [{ id: 't' }] }]],
    ['a chat', [{ role: 'tool', tool_call_id: 't', content: '1' }]],
  ])('asks for tools where the history of %s holds their calls', (_, messages) => {
    expect(needsOf(...messages)).toEqual(['tools']);
  });

  it('asks for tools where Responses hold their calls', () => {
    const call = { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' };
    expect([...shapeOf({ input: [call] }).needs]).toEqual(['tools']);
  });

  it('asks for nothing where there is only text', () => {
    const text = [{ role: 'assistant', content: 'Hi', tool_calls: [] }];
    expect(
      needsOf(...text, { role: 'user', content: [{ type: 'text', text: 'tool_use' }] }),
    ).toEqual([]);
  });
});
