import { expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../test/support/databases.js';
import { makeDirectory } from './directories.js';

it('makes a directory and those above it, for their owner alone, also when asked at once', async () => {
  const above = join(temporaryDirectory(), 'above');
  const below = join(above, 'below');
  await Promise.all([makeDirectory(below), makeDirectory(below), makeDirectory(above)]);
  for (const path of [above, below]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('gives up where Node would try for ever', async () => {
  for (const path of ['/proc/causeway/below', '/proc/self/causeway']) {
    await expect(makeDirectory(path)).rejects.toMatchObject({ code: 'ENOENT' });
  }
});
