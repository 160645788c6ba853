import { openConnection } from '../redis/connection.js';
import { failed, ok, skipped, type CheckResult, warning } from './finding.js';
import { plainReason } from './plain-reason.js';

/** Whether Redis lets scripts write, and is as fast as the gateway wants it. */
export async function checkRedis(url: string | undefined): Promise<CheckResult> {
  if (url === undefined) return skipped('not configured: every process counts its limits alone');
  const { host } = new URL(url);
  const { connection, failure } = await openConnection(url, PATIENCE_MS);
  if (!connection) return failed(`REDIS_URL ${host} cannot be used`, plainReason(failure));
  try {
    const startedAt = performance.now();
    await connection.ping();
    const ms = performance.now() - startedAt;
    if (ms > LONGEST_MS) {
      return warning(`${host} took ${Math.round(ms)} ms; after ${LONGEST_MS} it counts as away`);
    }
    return ok(`${host} answers`);
  } finally {
    connection.disconnect();
  }
}

/** Longer than the gateway waits, to tell one that is slow from one that is away. */
const PATIENCE_MS = 2_000;
const LONGEST_MS = 100;
