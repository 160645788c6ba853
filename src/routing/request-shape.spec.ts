import { describe, expect, it } from '@jest/globals';
import { shapeOf } from './request-shape.js';

const needsOf = (...messages: object[]) => [...shapeOf({ messages }).needs];
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const TEXT = { type: 'text' };
const DRAWN = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } };
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
    ['an older chat', [{ role: 'assistant', content: null, function_call: { name: 'f' } }]],
    ['an older chat', [{ role: 'function', name: 'f', content: '1' }]],
  ])('asks for tools where the history of %s holds their calls', (_, messages) => {
    expect(needsOf(...messages)).toEqual(['tools']);
  });

  it.each([
    { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 't', output: '1' },
    { type: 'custom_tool_call', call_id: 't', name: 'f', input: 'x' },
    { type: 'local_shell_call_output', call_id: 't', output: 'x' },
    { type: 'apply_patch_call', call_id: 't', operation: {} },
    { type: 'tool_search_output', call_id: 't', tools: [] },
    { type: 'additional_tools', tools: [] },
  ])('asks for tools where Responses hold $type', (item) => {
    expect([...shapeOf({ input: [item] }).needs]).toEqual(['tools']);
  });

  it.each([
    ['image_url', { image_url: { url: 'data:application/pdf;base64,AA' } }, 'document_input'],
    ['input_image', { image_url: 'data:application/pdf;base64,AA' }, 'document_input'],
    ['file', { file: { file_data: 'data:image/png;base64,AA' } }, 'image_input'],
    ['input_file', { file_data: 'data:image/png;base64,AA' }, 'image_input'],
    ['image_generation_call', { result: 'AAAA' }, 'image_input'],
    ['file', { file: { file_data: 'data:audio/wav;base64,AA' } }, 'audio_input'],
    ['input_file', { file_data: 'data:video/mp4;base64,AA' }, 'video_input'],
    [
      'document',
      { source: { type: 'base64', media_type: 'audio/mp3', data: 'AA' } },
      'audio_input',
    ],
  ])('goes by the bytes of %s', (type, part, ability) => {
    expect(needsOf({ role: 'user', content: [{ type, ...part }] })).toContain(ability);
  });

  it.each([
    ['input_audio', { input_audio: { data: 'AA', format: 'wav' } }, 'audio_input'],
    ['audio_url', { audio_url: { url: 'https://a.example/b.mp3' } }, 'audio_input'],
    ['video_url', { video_url: { url: 'https://a.example/b.mp4' } }, 'video_input'],
    ['input_video', { video_url: 'https://a.example/b.mp4' }, 'video_input'],
  ])('knows %s for what has to be heard or watched', (type, part, ability) => {
    const content = [{ type, ...part }];
    expect(needsOf({ role: 'user', content })).toEqual([ability]);
    expect([...shapeOf({ input: [{ role: 'user', content }] }).needs]).toEqual([ability]);
  });

  it.each([
    [{ modalities: ['text', 'audio'], audio: { voice: 'a' } }, ['audio_output']],
    [{ modalities: ['image', 'text'] }, ['image_output']],
    [{ web_search_options: {} }, ['web_search']],
    [{ modalities: ['text'], web_search_options: null }, []],
    [{ modalities: 'audio', response_format: { type: 'json_object' } }, []],
  ])('asks for what %j wants beside text', (body, abilities) => {
    expect([...shapeOf({ messages: [], ...body }).needs]).toEqual(abilities);
  });

  it.each([
    [{ tools: [{}] }, false],
    [{ tools: [{}], tool_choice: null }, false],
    [{ tools: [{}], tool_choice: 'auto' }, false],
    [{ tools: [{}], tool_choice: 'none' }, false],
    [{ tools: [{}], tool_choice: 'required' }, true],
    [{ tools: [{}], tool_choice: { type: 'any' } }, true],
    [{ tools: [{}], tool_choice: { type: 'function', function: { name: 'f' } } }, true],
    [{ tools: [{}], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }, false],
    [{ tools: [{}], tool_choice: { type: 'allowed_tools', mode: 'required' } }, true],
    [
      { tools: [{}], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto' } } },
      false,
    ],
    [
      { tools: [{}], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required' } } },
      true,
    ],
    [{ functions: [{}], function_call: 'auto' }, false],
    [{ functions: [{}], function_call: { name: 'f' } }, true],
  ])('sees whether a tool has to be called in %j', (body, isForced) => {
    const { needs } = shapeOf({ messages: [], ...body });
    expect([needs.has('tools'), needs.has('tool_choice')]).toEqual([true, isForced]);
  });

  it('takes the highest of the bounds of an answer', () => {
    const bounds = { max_tokens: 1, max_completion_tokens: 500, max_output_tokens: 20 };
    expect(shapeOf({ messages: [], ...bounds }).mostOutput).toBe(500);
    expect(shapeOf({ messages: [] }).mostOutput).toBeUndefined();
  });

  it('counts the marks around turns, of which there may be more than words', () => {
    const messages = Array.from({ length: 1_001 }, () => ({ role: 'user', content: 'Yes' }));
    // A mark on either side, the role and what is behind it, and the word.
    expect(shapeOf({ messages }).inputTokens).toBeGreaterThan(5 * 1_001);
  });

  it('finds the picture of a screen that a tool gave back', () => {
    const output = { type: 'computer_screenshot', image_url: 'https://a.example/b.png' };
    const item = { type: 'computer_call_output', call_id: 't', output };
    expect([...shapeOf({ input: [item] }).needs]).toEqual(['tools', 'image_input']);
  });

  it.each([
    [{ reasoning: { effort: 'low' } }, true],
    [{ reasoning: { max_tokens: 2000 } }, true],
    [{ reasoning: { enabled: true } }, true],
    [{ reasoning: { enabled: false, max_tokens: 2000 } }, false],
    [{ reasoning: { effort: 'none' } }, false],
    [{ reasoning: { summary: 'auto' } }, false],
    [{ reasoning_effort: 'none', reasoning: { effort: 'high' } }, false],
    [{ thinking: { type: 'disabled' }, reasoning_effort: 'high' }, false],
    [{ thinking: { type: 'adaptive' } }, true],
  ])('sees whether thinking is asked for in %j', (body, isAsked) => {
    expect(shapeOf({ messages: [], ...body }).needs.has('thinking')).toBe(isAsked);
  });

  it('takes for the user’s words what has no role, but not items that are no message', () => {
    const call = { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' };
    const reasoning = {
      type: 'reasoning',
      content: [{ type: 'reasoning_text', text: 'x'.repeat(9) }],
    };
    const { opening, questionLength, goesOn } = shapeOf({
      input: [null, reasoning, { content: 'Hello' }, call],
    });
    expect(opening).toEqual([undefined, { content: 'Hello' }]);
    expect([questionLength, goesOn]).toEqual([5, true]);
    expect(shapeOf({ messages: [null] }).opening).toEqual([undefined, undefined]);
  });

  it.each([
    ['nobody has answered', [{ role: 'user', content: 'a' }], false],
    ['the user goes on', [{ role: 'user' }, { role: 'user', content: 'b' }], false],
    ['a system turn follows', [{ role: 'user' }, { role: 'system', content: 'b' }], false],
    ['an assistant has answered', [{ role: 'user' }, { role: 'assistant' }], true],
    ['a tool was called', [{ role: 'user' }, { type: 'function_call' }], true],
    ['an answer came before', [{ role: 'assistant' }, { role: 'user', content: 'a' }], false],
  ])('goes on only when it was answered: %s', (_, input, goesOn) => {
    expect(shapeOf({ input }).goesOn).toBe(goesOn);
  });

  it.each([
    [[{ role: 'user', content: [{ ...image, type: 'image_url', source: TEXT }] }], 'image_input'],
    [[{ role: 'assistant', content: [{ type: 'tool_use', source: TEXT }] }], 'tools'],
    [[{ type: 'function_call', call_id: 't', name: 'f', arguments: '{}', content: '' }], 'tools'],
    [[{ type: 'function_call_output', output: [image], content: '' }], 'image_input'],
    [[{ role: 'assistant', audio: { id: 'audio_1' } }], 'audio_input'],
    [[{ role: 'assistant', content: 'Here.', images: [DRAWN] }], 'image_input'],
    [[{ role: 'assistant', content: null, images: [DRAWN] }], 'image_input'],
  ])('sees what is needed whatever else stands beside it: %j', (input, need) => {
    expect([...shapeOf({ input }).needs]).toContain(need);
  });

  it('asks for nothing where there is only text', () => {
    const text = [{ role: 'assistant', content: 'Hi', tool_calls: [] }];
    expect(
      needsOf(...text, { role: 'user', content: [{ type: 'text', text: 'tool_use' }] }),
    ).toEqual([]);
  });
});
