import { expect, it } from '@jest/globals';
import { type LookupAddress } from 'node:dns';
import { lookupOnce } from './lookup-once.js';

const asked = (name: string, all: boolean) =>
  new Promise<readonly unknown[]>((resolve) => {
    lookupOnce(name, { all }, (...answer) => {
      resolve(answer);
    });
  });

it('looks a name up once for all who ask meanwhile, and again for who asks later', async () => {
  const [one, other, single] = await Promise.all([
    asked('localhost', true),
    asked('localhost', true),
    asked('localhost', false),
  ]);
  expect(one[0]).toBeNull();
  expect((one[1] as LookupAddress[])[0]?.address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  // The very same answer.
  expect(other[1]).toBe(one[1]);
  expect(single[1]).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  expect((await asked('localhost', true))[1]).not.toBe(one[1]);
});

it('tells all of them that there is no such name', async () => {
  const errors = await Promise.all([asked('none.invalid', true), asked('none.invalid', true)]);
  expect(errors[0]?.[0]).toHaveProperty('syscall', 'getaddrinfo');
  expect(errors[1]?.[0]).toBe(errors[0]?.[0]);
});
