import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growth, grown } from '../bench/soak-memory.mjs';
import { temporaryDirectory } from './support/databases.js';

/** One a second, at 500 requests a second, with 30 MB that come and go. */
function samples(seconds: number, mbInEach100000: number) {
  return Array.from({ length: seconds }, (_, second) => {
    const requests = (second + 1) * 500;
    return { requests, mb: 200 + (requests / 100_000) * mbInEach100000 + (second % 3) * 15 };
  });
}

it.each([30, 60, 120, 239, 240, 1_680])('tells the slope of memory after %d s', (seconds) => {
  expect(growth(samples(seconds, 0))).toBeCloseTo(0, 6);
  const exactly = Array.from({ length: seconds }, (_, second) => ({
    requests: second,
    mb: second,
  }));
  expect(growth(exactly)).toBeCloseTo(100_000, 3);
  expect(grown(samples(seconds, 0))).toMatch(/^-?0\.00 MB in 100,000 requests/);
  expect(grown(samples(seconds, 0)).includes('says little')).toBe(seconds < 240);
});

it('says so where there is nothing to draw a line through', () => {
  expect([grown([]), grown(samples(1, 0))]).toEqual(Array(2).fill(expect.stringMatching(/^not/)));
});

it.each(['Infinity', '1e999', '0', 'abc'])('refuses %s for the minutes', (minutes) => {
  const { status, stderr } = spawnSync(process.execPath, ['bench/soak.mjs', minutes], {
    encoding: 'utf8',
    timeout: 5_000,
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('MINUTES is a number above 0')]);
});

it.each(['bench', 'router:bench', 'router:eval', 'soak'])(
  'stops npm run %s with the process that npm tells to stop',
  (name) => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const programs = temporaryDirectory();
    const says = (program: string, text: string) => {
      writeFileSync(join(programs, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    };
    says('npm', 'exit 0');
    says('node', 'echo $$');
    const { pid, stdout } = spawnSync(scripts[name]!, {
      shell: true,
      encoding: 'utf8',
      env: { PATH: `${programs}:${process.env.PATH}` },
    });
    expect(stdout).toBe(`${pid}\n`);
  },
);
