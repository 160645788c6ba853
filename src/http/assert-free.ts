import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * For whoever is going to share a port, which may be with any process of the same user, or has much to do
 * before it listens.
 *
 * @throws what Node says of an address that cannot be had, as EADDRINUSE.
 */
export async function assertFree(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
