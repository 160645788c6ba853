import { type NestExpressApplication } from '@nestjs/platform-express';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config/read-config.js';

export const API_KEY = 'cw_live_test-key-0123456789abcdef';
export const ADMIN_KEY = 'cw_admin_test-key-0123456789abcdef';

/** A whole gateway on a port of its own, with a database of its own. */
export interface RunningGateway {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

/** Starts a gateway with these settings and no others. */
export async function startGateway(env: Record<string, string> = {}): Promise<RunningGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    CAUSEWAY_API_KEY: API_KEY,
    CAUSEWAY_ADMIN_KEY: ADMIN_KEY,
    RATE_LIMIT: '100000/s',
    // Tests of failures make many of them.
    BREAKER: 'off',
    ...env,
  });
  // Suites whose gateways are processes of their own only need the keys, and none of it.
  const { createApp } = await import('../../src/app.js');
  const app = await createApp(config, pino({ level: 'silent' }));
  await app.listen(0, '127.0.0.1');
  return {
    app,
    url: await app.getUrl(),
    dataDir,
    close: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
