import { expect, it } from '@jest/globals';
import { callerAddress } from './caller-address.js';

const NETWORK = callerAddress({ ip: '2001:db8::1' });

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['1.2.3.4:50123', '1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['[::ffff:1.2.3.4]:50123', '1.2.3.4'],
  ['2001:db8::2', NETWORK],
  ['[2001:db8::1]', NETWORK],
  ['[2001:db8::1]:443', NETWORK],
  ['::1', '::1'],
  ['unknown', 'unknown'],
  [undefined, ''],
])('counts %s as %s', (ip, address) => {
  expect(callerAddress({ ip })).toBe(address);
});
