import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// V8 only complains about a flag that it does not know, and goes on without it.
it('sets only flags that this Node knows', () => {
  const source = readFileSync('src/main.ts', 'utf8');
  const flags = [...source.matchAll(/setFlagsFromString\('(--[\w-]+)'\)/g)].map(([, flag]) => flag);
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(flags).toHaveLength(1);
  for (const flag of flags) expect(known).toContain(`${flag} `);
});
