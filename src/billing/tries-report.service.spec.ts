import { expect, it } from '@jest/globals';
import { callerOf } from '../../test/support/bookkeeper.js';
import { bookkeeper, newAccount } from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { type Attempt, type UsageRecord } from '../contract/usage-record.js';
import { risingId } from './rising-id.js';
import { TriesReports } from './tries-report.service.js';

function tried(status: number, ms: number, more: Partial<Attempt> = {}): Attempt {
  return { model: 'openai/gpt-4o', provider: 'openai', status, ms, ...more };
}

describeEveryEngine('TriesReports', ({ fresh }) => {
  it('hold nothing against a provider whose caller left, or that was not asked', async () => {
    const keeper = await bookkeeper(await fresh());
    const accountId = await newAccount(keeper);
    const caller = callerOf(accountId, { limited: false });
    const calls: readonly Pick<UsageRecord, 'outcome' | 'attempts'>[] = [
      { outcome: 'ok', attempts: [tried(429, 5), tried(200, 100)] },
      { outcome: 'ok', attempts: [tried(200, 300), tried(0, 200, { cancelled: true })] },
      { outcome: 'error', attempts: [tried(0, 7), tried(503, 0, { circuit: 'open' })] },
      { outcome: 'error', attempts: [tried(200, 40)] },
      { outcome: 'client_closed', attempts: [tried(200, 50)] },
      { outcome: 'client_closed', attempts: [tried(500, 6), tried(0, 9_000)] },
      { outcome: 'rejected', attempts: [] },
    ];
    for (const call of calls) {
      const charged = { id: risingId(), caller, requestId: 'req', hold: undefined };
      const { keyId } = caller;
      const record = usageRecord({ accountId, keyId, createdAt: Date.now(), ...call });
      await keeper.charges.settle(charged, record);
    }
    expect(await new TriesReports(keeper.database).byProvider(Date.now() - 60_000)).toEqual([
      { provider: 'openai', tries: 7, failures: 4, p50_ms: 40, p95_ms: 300 },
    ]);
  });
});
