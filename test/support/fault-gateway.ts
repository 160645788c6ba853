import { beforeAll, expect } from '@jest/globals';
import { type Kind } from './fault-answers.js';
import { asks, type Reply } from './fault-callers.js';
import { ADMIN_KEY } from './gateway.js';
import { until } from './until.js';
import { useGateway } from './use-gateway.js';

/** How long the gateway waits for a head and between two pieces, in the tests of faults. */
export const PATIENCE_MS = 400;

/** A request's row in the log, and what it took from the account, in USD. */
export interface Booked {
  readonly row: any;
  readonly charges: readonly number[];
}

/** A gateway whose providers fail as told, asked by an account with credits. */
export function useFaultyProvider(env: Record<string, string> = {}) {
  const gateway = useGateway({
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: String(PATIENCE_MS),
    UPSTREAM_IDLE_TIMEOUT_MS: String(PATIENCE_MS),
    ...env,
  });
  let account = '';
  let key = '';
  const manage = async (path: string, body?: object) => {
    const reply = await fetch(`${gateway.url}/v3/admin/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await reply.json()) as any;
  };
  beforeAll(async () => {
    account = (await manage('accounts', { name: 'faults', credits: 1_000 })).id;
    key = (await manage(`accounts/${account}/keys`, { name: 'faults' })).key;
  });
  return {
    upstream: gateway.upstream,
    get url() {
      return gateway.url;
    },
    get key() {
      return key;
    },
    ask: (request: Kind | readonly [string, object], fields = {}): Promise<Reply> =>
      asks({ url: gateway.url, key }, request, fields),
    /** The books on a request that has ended; fails unless there is one record of it. */
    async booked(id: string): Promise<Booked> {
      const logged = await manage(`requests?account_id=${account}&limit=1000`);
      const rows = (logged.data as any[]).filter((row) => row.request_id === id);
      expect(rows).toHaveLength(1);
      const { data } = await manage(`accounts/${account}/ledger?limit=1000`);
      const entries = (data as any[]).filter((entry) => entry.request_id === id);
      return { row: rows[0], charges: entries.map(({ amount }) => amount as number) };
    },
    /** Resolves when nothing is set aside and no answer of the provider's is open any more. */
    async settled(patience?: { seconds: number }): Promise<void> {
      await until(async () => (await manage(`accounts/${account}`)).credits.held === 0, patience);
      await until(() => gateway.upstream.open === 0, patience);
    },
  };
}
