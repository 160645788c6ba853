import { expect, it } from '@jest/globals';
import { temporaryDirectory } from './support/databases.js';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { startGatewayProcess } from './support/gateway-process.js';
import { metric } from './support/metric.js';

const MB = 1024 * 1024;

// A large machine has more memory than V8 gives a heap: what is held there would end the process.
it.each([
  ['no more than half of the heap', {}, 300, 400],
  ['what is set', { MAX_BUFFERED_BYTES: String(500 * MB) }, 500, 500],
])('OV-3 Requests may take %s', async (_much, settings, least, most) => {
  const gateway = await startGatewayProcess({
    DATA_DIR: temporaryDirectory(),
    CAUSEWAY_API_KEY: API_KEY,
    CAUSEWAY_ADMIN_KEY: ADMIN_KEY,
    NODE_OPTIONS: '--max-old-space-size=600',
    ...settings,
  });
  try {
    const limit = (await metric(gateway, 'causeway_buffered_bytes_limit')) / MB;
    expect(limit).toBeGreaterThanOrEqual(least);
    expect(limit).toBeLessThanOrEqual(most);
  } finally {
    await gateway.kill();
  }
});
