import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readConfig } from '../src/config/read-config.js';

const read = (path: string) => readFileSync(path, 'utf8');

it('has a row for every setting', () => {
  const names = [...read('src/config/read-config.ts').matchAll(/read\.\w+\(\s*'([A-Z_\d]+)'/g)];
  const table = read('docs/operations.md').split('\n## ')[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z_\d]{4,}/g) ?? []);
  expect(names.length).toBeGreaterThan(30);
  expect(documented).toEqual(expect.arrayContaining(names.map(([, name]) => name)));
});

it('gives a container the time that a stop may take', () => {
  const { drainDelayMs, graceMs } = readConfig({});
  const constants = ['MOST_CONNECTING_MS', 'LAST_WORDS_MS', 'CLOSING_MS'].map((name) => {
    const [, ms = ''] = new RegExp(`const ${name} = ([\\d_]+);`).exec(read('src/stop.ts')) ?? [];
    return Number(ms.replaceAll('_', ''));
  });
  const longestMs = constants.reduce((sum, ms) => sum + ms, drainDelayMs + graceMs);
  const [, period] = /stop_grace_period: (\d+)s/.exec(read('docker-compose.yml')) ?? [];
  expect(1_000 * Number(period)).toBeGreaterThan(longestMs);
  expect(read('docs/operations.md')).toContain(`that is ${longestMs / 1_000} s`);
});
