import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../test/support/databases.js';
import { beforeLoading } from './before-loading.js';
import { ConfigError, readConfig } from './config/read-config.js';

const problemsOf = async (DATA_DIR: string, PORT = '0'): Promise<readonly string[]> => {
  const error = await beforeLoading(readConfig({ DATA_DIR, PORT })).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems;
};

it.each<[string, (directory: string) => string]>([
  [
    'below a link to nowhere',
    (directory) => {
      symlinkSync(join(directory, 'nowhere'), join(directory, 'dangling'));
      return join(directory, 'dangling', 'data');
    },
  ],
  [
    'below a file',
    (directory) => {
      writeFileSync(join(directory, 'file'), '');
      return join(directory, 'file', 'data');
    },
  ],
  // Root may write anywhere but there, where Node's own way of making it tries for ever.
  ...(process.platform === 'linux' ? [['below /proc', () => '/proc/causeway/data'] as never] : []),
])('a DATA_DIR that is to be made %s ends a start', async (_, make) => {
  const DATA_DIR = make(temporaryDirectory());
  const problem = expect.stringContaining(`DATA_DIR ${DATA_DIR} cannot be used: `);
  expect(await problemsOf(DATA_DIR)).toEqual([problem]);
});

it('a PORT that is in use ends a start before it makes keys, which nobody would see', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const problem = expect.stringMatching(`^PORT ${port} cannot be listened on: .*EADDRINUSE`);
  expect(await problemsOf(temporaryDirectory(), `${port}`)).toEqual([problem]);
  other.close();
});
