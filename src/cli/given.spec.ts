import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unitsOfUsd, usdDecimal } from '../contract/money.js';
import { type Command, Misuse } from './command.js';
import { readGiven } from './given.js';

const command: Command = {
  name: 'pay',
  summary: '',
  parameters: [],
  options: {
    amount: { description: '', value: 'USD', kind: 'usd' },
    models: { description: '', value: 'LIST', kind: 'list', removable: true },
  },
  run: () => Promise.resolve(undefined),
};
const amountOf = (text: string) => readGiven(command, ['--amount', text]).fields.amount as number;

describe('an amount', () => {
  it('is exactly the decimal that was written, or refused', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 19n), 10n ** 19n), (units) => {
        const written = usdDecimal(units);
        let usd: number;
        try {
          usd = amountOf(written);
        } catch (error) {
          expect(error).toBeInstanceOf(Misuse);
          return units < -(10n ** 15n) || units > 10n ** 15n;
        }
        return unitsOfUsd(usd) === units;
      }),
    );
  });

  it.each([
    ['007.50', 7.5],
    ['.5', 0.5],
    ['5.', 5],
    ['0', 0],
    ['-0', -0],
    ['0.000000000000', 0],
    ['-0.000000000001', -1e-12],
  ])('%s is %d', (text, usd) => {
    expect(amountOf(text)).toBe(usd);
  });

  it.each(['', ' ', '1e3', '0x10', 'Infinity', 'NaN', '1,5', '--', '1_000', '9'.repeat(400)])(
    '%s is none',
    (text) => {
      expect(() => amountOf(text)).toThrow(Misuse);
    },
  );
});

describe('a list', () => {
  it('has commas, or is given several times', () => {
    const { fields } = readGiven(command, ['--models', 'a/*, b/*', '--models=c/*']);
    expect(fields).toEqual({ models: ['a/*', 'b/*', 'c/*'] });
  });

  it('is taken away by none', () => {
    expect(readGiven(command, ['--models', 'none']).fields).toEqual({ models: null });
  });
});
