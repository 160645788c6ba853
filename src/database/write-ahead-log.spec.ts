import { expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../test/support/databases.js';
import { ConnectionLost } from './failure.js';
import { WriteAheadLog } from './write-ahead-log.js';

it('says when the disk refuses, to all who asked, and tries again', async () => {
  const path = join(temporaryDirectory(), 'causeway.db');
  const log = new WriteAheadLog(path);
  const refused = await Promise.allSettled([log.sync(), log.sync()]);
  for (const one of refused) expect(one).toMatchObject({ reason: expect.any(ConnectionLost) });
  writeFileSync(`${path}-wal`, 'x');
  await Promise.all([log.sync(), log.sync()]);
  await log.close();
});
