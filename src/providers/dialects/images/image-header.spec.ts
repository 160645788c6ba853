import { describe, expect, it } from '@jest/globals';
import { mayBeBase64 } from './image-header.js';

describe('mayBeBase64', () => {
  it.each([
    'iVBORw0KGgo=',
    String.raw`\/9j\/4AAQ`,
    '_9j-4AAQ',
    '/9j/\n4AAQ\r\n',
    'data:image/png;base64,/9j/',
  ])('takes %j', (text) => {
    expect(mayBeBase64(text)).toBe(true);
  });

  it.each(['', 'Sorry, no image.', 'not an image', '<html>', '{"error":1}'])(
    'finds none in %j',
    (text) => {
      expect(mayBeBase64(text)).toBe(false);
    },
  );
});
