import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Transaction } from 'kysely';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { type Tables } from '../database/tables.js';
import { BeatWatch } from './beat-watch.js';

/** A process whose beat has stood still for too long. */
export interface DeadProcess {
  readonly id: string;
  /** The beat that it stopped at. */
  readonly beat: number;
}

/** This process among those that share the database. */
@Injectable()
export class Processes {
  /** Another one at every start. */
  readonly id = randomUUID();
  /** Milliseconds between two beats. */
  readonly intervalMs: number;
  /** Settled when this process has been announced. */
  readonly announced: Promise<void>;
  private readonly watch: BeatWatch;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { reconcileAfterMs }: Config,
  ) {
    this.intervalMs = Math.min(LONGEST_INTERVAL_MS, reconcileAfterMs / BEATS_BEFORE_DEATH);
    this.watch = new BeatWatch(reconcileAfterMs, this.intervalMs);
    this.announced = database.beforeUse((transaction) => this.announce(transaction));
  }

  /** Shows the others that this process lives. @throws GatewayError 503 */
  beat(): Promise<void> {
    return this.database.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('processes')
        .set(({ eb }) => ({ beat: eb('beat', '+', 1) }))
        .where('id', '=', this.id)
        .executeTakeFirst();
      // Taken for dead while it slept.
      if (numUpdatedRows === 0n) await this.announce(transaction);
    });
  }

  /** The processes that are known, and those of them that are dead. @throws GatewayError 503 */
  async look(): Promise<{ known: ReadonlySet<string>; dead: readonly DeadProcess[] }> {
    const beats = await this.database.read(beatsOf);
    const dead = this.watch.look(beats, performance.now());
    return {
      known: new Set(beats.keys()),
      dead: dead
        .filter((id) => id !== this.id)
        .map((id) => ({ id, beat: beats.get(id) ?? UNANNOUNCED })),
    };
  }

  /** Takes this process off the list, unless it still holds something. @throws GatewayError 503 */
  leave(): Promise<void> {
    return this.database.write((transaction) => forget(transaction, { id: this.id }));
  }

  private async announce(transaction: Transaction<Tables>): Promise<void> {
    await transaction
      .insertInto('processes')
      .values({ id: this.id, beat: 0, started_at: Date.now() })
      .execute();
  }
}

/** The beat of a process that holds something although it is not on the list. */
export const UNANNOUNCED = -1;

/** Takes a process off the list, unless it still holds something or its beat is another. */
export async function forget(
  transaction: Transaction<Tables>,
  { id, beat }: Pick<DeadProcess, 'id'> & Partial<DeadProcess>,
): Promise<void> {
  await transaction
    .deleteFrom('processes')
    .where('id', '=', id)
    .$if(beat !== undefined, (query) => query.where('beat', '=', beat ?? 0))
    .where('id', 'not in', (query) => query.selectFrom('holds').select('process_id'))
    .execute();
}

const LONGEST_INTERVAL_MS = 5_000;
const BEATS_BEFORE_DEATH = 5;

async function beatsOf(kysely: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const holding = await kysely.selectFrom('holds').select('process_id').distinct().execute();
  const listed = await kysely.selectFrom('processes').select(['id', 'beat']).execute();
  return new Map([
    ...holding.map(({ process_id }) => [process_id, UNANNOUNCED] as const),
    ...listed.map(({ id, beat }) => [id, beat] as const),
  ]);
}
