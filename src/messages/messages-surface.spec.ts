import { describe, expect, it } from '@jest/globals';
import { messagesSurface } from './messages-surface.js';

describe('messages, for models that are no Claude', () => {
  const user = { role: 'user', content: 'Hi' };
  const read = (fields: object) => {
    const body = { model: 'vendor/m', messages: [user], ...fields };
    return messagesSurface.read(body as never);
  };

  it('do not think where the least that a Claude can is asked for', () => {
    expect(read({ thinking: { type: 'between_tools' } }).thinking).toEqual({ type: 'disabled' });
    const thinking = { type: 'adaptive', display: 'omitted' };
    expect(read({ thinking }).thinking).toBe(thinking);
  });

  it('have the effort that a turn of the system asks for', () => {
    const set = { role: 'system', content: [], output_config: { effort: 'low' } };
    const { output_config, messages } = read({ messages: [user, set] });
    expect(output_config).toEqual({ effort: 'low' });
    expect(messages).toEqual([user, { role: 'system', content: [] }]);
  });
});
