import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type Bookkeeper, callerOf, facts } from '../../test/support/bookkeeper.js';
import {
  bookkeeper,
  creditOf,
  expectBalanced,
  newAccount,
  reborn,
} from '../../test/support/books.js';
import { describeEveryEngine } from '../../test/support/databases.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { type Caller } from '../contract/caller.js';
import { type Charged } from './charges.service.js';
import { UNANNOUNCED } from './processes.service.js';
import { reconcile } from './reconcile.js';

const CREDIT = 1_000n;
const SPEND_LIMIT = { amount: 700n, per: 'total' } as const;

const index = fc.nat(1_000);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('hold'), at: index, of: index, size: index }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle'), of: index, size: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle twice'), of: index, size: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), of: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('grant'), at: index, of: index, size: index }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash'), at: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile'), at: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit'), at: index, size: index }) },
);
/** A call's hold, and the process that made it. */
type Held = Charged & { readonly holder: Bookkeeper };

type Step = { do: string; at?: number; of?: number; size?: number };

/** Each inner list happens at the same time. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), {
  minLength: 3,
  maxLength: 10,
});

describeEveryEngine('Books', ({ fresh }) => {
  describe.each([1, 3])('written by %i processes', (count) => {
    let keepers: Bookkeeper[];

    it('add up at every moment, whatever happens in whatever order', async () => {
      const settings = await fresh();
      keepers = await Promise.all(Array.from({ length: count }, () => bookkeeper(settings)));
      const watcher = await bookkeeper(settings);
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const world = await World.of(keepers);
          const watch = watching(watcher, world);
          for (const round of rounds) {
            await Promise.all(round.map((step: Step) => world.take(step)));
          }
          await watch.stop();
          await world.expectConsistent(watcher);
          await world.end();
          await world.expectConsistent(watcher);
          await world.expectNothingHeld(watcher);
        }),
        { numRuns: 12, endOnFailure: true },
      );
    });
  });
});

/** Looks at the books all the time. */
function watching(watcher: Bookkeeper, world: World) {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      await world.expectConsistent(watcher);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  running.catch(() => undefined);
  return {
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

/** Three accounts: two with credit, one of them with a limited key, and one without a limit. */
class World {
  private readonly calls: { charged: Held; cost: bigint | undefined }[] = [];
  private readonly dead = new Set<string>();

  private constructor(
    private readonly keepers: Bookkeeper[],
    private readonly callers: readonly Caller[],
  ) {}

  static async of(keepers: readonly Bookkeeper[]): Promise<World> {
    const [first] = keepers;
    const plain = await newAccount(first!, CREDIT);
    const bounded = await newAccount(first!, CREDIT);
    const free = await newAccount(first!);
    return new World(
      [...keepers],
      [
        callerOf(plain),
        callerOf(bounded, { spendLimit: SPEND_LIMIT }),
        callerOf(free, { spendLimit: SPEND_LIMIT, limited: false }),
      ],
    );
  }

  async take({ do: what, at = 0, of = 0, size = 0 }: Step): Promise<void> {
    const place = at % this.keepers.length;
    const keeper = this.keepers[place]!;
    const caller = this.callers[of % this.callers.length]!;
    if (what === 'hold') await this.hold(keeper, caller, BigInt(1 + (size % 400)));
    else if (what === 'grant') {
      const amount = BigInt((size % 400) - 200);
      const { accountId } = this.callers[of % 2]!;
      await keeper.ledger.grant(accountId, amount).catch(refusedWith(400));
    } else if (what === 'limit') {
      const limit = size % 2 === 0 ? null : BigInt(size + 1_000);
      const { accountId } = this.callers[2]!;
      await keeper.database
        .write((transaction) => keeper.ledger.setLimited(transaction, accountId, limit))
        .catch(refusedWith(400));
    } else if (what === 'crash') {
      this.dead.add(keeper.processes.id);
      this.keepers[place] = reborn(keeper);
    } else if (what === 'reconcile') await this.reconcile(keeper);
    else await this.finish(what, of, size);
  }

  /** Ends every call, those of dead processes too. */
  async end(): Promise<void> {
    const open = this.calls.filter(({ cost }) => cost === undefined);
    await Promise.all(
      open.map((call, place) =>
        place % 2 === 0 ? this.settle(call, 5n) : call.charged.holder.charges.release(call.charged),
      ),
    );
    await this.reconcile(this.keepers[0]!);
  }

  async expectConsistent(watcher: Bookkeeper): Promise<void> {
    const [plain, bounded, free] = await Promise.all(
      this.callers.map(({ accountId }) => creditOf(watcher, accountId)),
    );
    expectBalanced(plain!);
    expectBalanced(bounded!);
    // What was spent without a limit is in no account, so only the other sums are known.
    if (free!.limited === 1) expectBalanced({ ...free!, collected_units: free!.spent_units });
    else expect([free!.balance_units, free!.held_units]).toEqual([0n, free!.holds_units]);
    for (const { keyId } of this.callers.slice(1)) {
      const { rows } = await watcher.database.read((kysely) =>
        sql<Record<string, bigint>>`
          select held_units, spent_units,
            coalesce((select sum(amount_units) from holds where key_id = ${keyId}), 0) as holds_units,
            coalesce((select sum(cost_units) from requests where key_id = ${keyId}), 0) as cost_units
          from key_spend where key_id = ${keyId}`.execute(kysely),
      );
      for (const { held_units, spent_units, holds_units, cost_units } of rows) {
        expect([held_units, spent_units]).toEqual([holds_units, cost_units]);
      }
    }
  }

  async expectNothingHeld(watcher: Bookkeeper): Promise<void> {
    for (const { accountId } of this.callers) {
      const credit = await creditOf(watcher, accountId);
      expect([credit.held_units, credit.ledger_units]).toEqual([0n, credit.balance_units]);
    }
    const settled = new Map(
      this.calls.flatMap(({ charged, cost }) =>
        cost === undefined ? [] : [[charged.id, cost] as const],
      ),
    );
    const rows = await watcher.database.read((kysely) =>
      kysely.selectFrom('requests').select(['id', 'cost_units', 'status']).execute(),
    );
    const costs = rows.filter(({ id }) => settled.has(id));
    expect(costs.every(({ id, cost_units }) => cost_units === settled.get(id))).toBe(true);
    expect(costs).toHaveLength(settled.size);
  }

  private async hold(keeper: Bookkeeper, caller: Caller, amount: bigint): Promise<void> {
    const hold = await keeper.holds.hold(caller, facts('req'), amount).catch(refusedWith(402));
    if (!hold) return;
    const charged = { id: hold.id, caller, requestId: 'req', hold, holder: keeper };
    this.calls.push({ charged, cost: undefined });
  }

  private async finish(what: string, of: number, size: number): Promise<void> {
    const open = this.calls.filter(({ cost }) => cost === undefined);
    const call = open[of % open.length];
    if (!call) return;
    if (what === 'release') {
      this.calls.splice(this.calls.indexOf(call), 1);
      await call.charged.holder.charges.release(call.charged);
      return;
    }
    const cost = BigInt(size % 600);
    await Promise.all([
      this.settle(call, cost),
      what === 'settle twice' ? this.settle(call, cost) : undefined,
    ]);
  }

  private settle(call: World['calls'][number], cost: bigint): Promise<void> {
    call.cost = cost;
    const { holder, ...charged } = call.charged;
    const { accountId, keyId } = charged.caller;
    return holder.charges.settle(charged, usageRecord({ cost, accountId, keyId }));
  }

  private async reconcile(keeper: Bookkeeper): Promise<void> {
    for (const id of this.dead) {
      const dead = { id, beat: UNANNOUNCED };
      await keeper.database.write((transaction) => reconcile(transaction, dead));
    }
  }
}

function refusedWith(status: number) {
  return (error: unknown): undefined => {
    expect(error).toMatchObject({ status });
  };
}
