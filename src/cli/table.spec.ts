import { describe, expect, it } from '@jest/globals';
import { tableLines } from './table.js';

describe('a table', () => {
  it('has its numbers to the right, money in full, and a dash for nothing', () => {
    const rows = [
      ['a', 1, 1_500_000n, null],
      ['bcd', 200, 25_000_000_000_000n, 'x'],
    ];
    expect(tableLines({ columns: ['NAME', 'N', 'USD', 'NOTE'], rows })).toEqual([
      'NAME    N        USD  NOTE',
      'a       1  0.0000015  -',
      'bcd   200         25  x',
    ]);
  });

  it('counts what a terminal shows, not code units', () => {
    const rows = [
      ['漢字', '|'],
      ['e\u0301', '|'],
      ['👩‍👩‍👧', '|'],
    ];
    const lines = tableLines({ columns: ['ABCD', 'E'], rows });
    expect(lines.slice(1)).toEqual(['漢字  |', 'e\u0301     |', '👩‍👩‍👧    |']);
  });

  it('shows control characters, and those that turn the direction, without obeying them', () => {
    const [, row] = tableLines({ columns: ['A'], rows: [['\u001b[31m\n\u202e\u0000']] });
    expect(row).toBe('\\u{001b}[31m\\u{000a}\\u{202e}\\u{0000}');
  });
});
