import { expect, it } from '@jest/globals';
import { callerOf } from '../../test/support/bookkeeper.js';
import { bookkeeper } from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { RequestLogs } from './request-log.service.js';
import { risingId } from './rising-id.js';

describeEveryEngine('RequestLogs', ({ fresh }) => {
  const scene = async (length: number) => {
    const keeper = await bookkeeper(await fresh());
    const caller = callerOf('acc_1', { limited: false });
    const records = Array.from({ length: 600 }, (_, at) =>
      usageRecord({
        requestId: `req_${at}`,
        user: 'u'.repeat(length),
        metadata: { text: 'm'.repeat(length) },
      }),
    );
    await Promise.all(
      records.map((record) =>
        keeper.charges.settle(
          { id: risingId(), caller, requestId: record.requestId, hold: undefined },
          record,
        ),
      ),
    );
    return new RequestLogs(keeper.database);
  };

  it('show as many requests on a page as were asked for', async () => {
    const logs = await scene(10);
    const first = await logs.list({}, { limit: 350, cursor: undefined });
    const second = await logs.list({}, { limit: 250, cursor: first.next_cursor ?? undefined });
    expect([first.data.length, second.data.length]).toEqual([350, 250]);
    expect(second.next_cursor).toBeNull();
    expect(new Set([...first.data, ...second.data].map((row) => row.request_id)).size).toBe(600);
  });

  it('show fewer where they are so long that writing the page would keep everybody waiting', async () => {
    const logs = await scene(8_000);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await logs.list({}, { limit: 1_000, cursor });
      expect(JSON.stringify(page).length).toBeLessThan(6_000_000);
      ids.push(...page.data.map((row) => row.request_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect([ids.length, new Set(ids).size]).toEqual([600, 600]);
  });
});
