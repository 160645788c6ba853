import { describe, expect, it } from '@jest/globals';
import { GatewayError } from './gateway-error.js';

const messageOf = (text: string) => new GatewayError(404, 'model_not_found', text).message;

describe('the message of an error', () => {
  it('is what was written', () => {
    const text = 'x'.repeat(10_000);
    expect(messageOf(text)).toBe(text);
  });

  it('has an end, and no half of a character there', () => {
    expect(messageOf('x'.repeat(1_000_000))).toBe(`${'x'.repeat(10_000)}…`);
    expect(messageOf(`${'x'.repeat(9_999)}😀`)).toBe(`${'x'.repeat(9_999)}\ufffd…`);
  });
});
