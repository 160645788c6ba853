import { expect, it } from '@jest/globals';
import { readUuid } from './uuid.js';

const WHOLE = '0b6f1f2e-8d0c-4c53-9a57-3f1f6a1d2c4b';

it.each([WHOLE, WHOLE.toUpperCase(), WHOLE.replaceAll('-', ''), `{${WHOLE}}`, `urn:uuid:${WHOLE}`])(
  'reads %s',
  (text) => {
    expect(readUuid(text)).toEqual({ uuid: WHOLE });
  },
);

// As pydantic 2.13 says it, which reads a text of the right length without what stands around it.
it.each([
  ['{0b6f1f2e-8d0c-4c53-9a57-3f1f6a1d2cub}', 'invalid character: found `u` at 35'],
  ['{0b6f1f2e-8d0c-4c53-9a57-g3f1f6a1d2c4b}', 'invalid character: found `g` at 26'],
  ['urn:uuid:0b6f1f2e-8d0c-4c5:-9a57-3f1f6a1d2c4b', 'invalid character: found `:` at 18'],
  ['urn:uuid:0b6f1f2e-8d0c-4c5:3-9a57-3f1f6a1d2c4b', 'invalid character: found `:` at 27'],
  ['urn:uuid:0b6f1f2e8d0c4c539a573f1😀f6a1d2c4b', 'invalid character: found `😀` at 24'],
  [`{${'a'.repeat(36)}}`, 'invalid length: expected length 32 for simple format, found 36'],
])('says why %s is none', (text, error) => {
  expect(readUuid(text)).toEqual({ error });
});
