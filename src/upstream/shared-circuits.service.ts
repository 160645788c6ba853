import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { SharedMemory } from '../shared/shared-memory.service.js';
import { type Breaker } from './breaker.js';
import { COUNT, countsIn, HAS_CLOSED, LOOK, MAY_PROBE, NOTE, saidIn } from './health-scripts.js';
import { LONGEST_REST_MS } from './shared-rests.service.js';

const LOOK_MS = 1_000;
const OPENINGS = 'causeway:open';
const COUNTS = 'causeway:calls';
/** A process that dies with it, or does not come to look, gives the probe to another one. */
const LEASE_MS = 3_000;
/** The last look before the probe's time. */
const LEAD_MS = LOOK_MS + 100;
/** Where calls are so few that none has met the lease until then, each process probes for itself. */
const PATIENCE_MS = 5_000;
/** Failures that come one upon the other are told together. */
const TELL_MS = 20;
/** How long a count holds. A circuit is open for longer, so what opened it cannot open it again. */
const COUNTED_MS = 3_000;

/** The breakers of this process. */
interface Breakers {
  readonly known: ReadonlyMap<string, Breaker>;
  of(model: string): Breaker;
}

/**
 * Tells the processes of a gateway of each other's circuits: what opens and closes, who probes, and
 * what was called while there are failures. No call waits for it, and while none fails nothing is
 * told; where nobody answers, each breaker judges alone.
 */
@Injectable()
export class SharedCircuits implements OnApplicationShutdown {
  private readonly me = randomUUID();
  private breakers: Breakers | undefined;
  private looking: NodeJS.Timeout | undefined;
  private telling: NodeJS.Timeout | undefined;

  constructor(private readonly memory: SharedMemory) {}

  /** Shares the circuits of these from now on; there when those that are open already are known. */
  async share(breakers: Breakers): Promise<void> {
    if (!this.memory.exists) return;
    this.breakers = breakers;
    this.looking = setInterval(() => {
      void this.look(breakers);
      void this.count(breakers);
    }, LOOK_MS).unref();
    await this.look(breakers);
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
    clearTimeout(this.telling);
  }

  /** A model's circuit has opened for so long, or has closed with 0, by what was called from here. */
  changed(model: string, openMs: number): void {
    void this.memory.run(NOTE, [OPENINGS], [model, Math.ceil(openMs)]);
  }

  /** A call has failed, and it may be that others' failures are enough with it. */
  failed(): void {
    const { breakers } = this;
    if (!breakers) return;
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      void this.count(breakers);
    }, TELL_MS).unref();
  }

  /** Tells the calls of models that fail, and learns of those of other processes. */
  private async count({ known }: Breakers): Promise<void> {
    const told = [...known].flatMap(([model, { news }]) =>
      news ? [model, news.calls, news.failures] : [],
    );
    const found = countsIn(await this.memory.run(COUNT, [COUNTS], [this.me, COUNTED_MS, ...told]));
    for (const [model, breaker] of known) breaker.hear(found.get(model));
  }

  /** Learns what other processes found, and asks for the probes whose time has come. */
  private async look(breakers: Breakers): Promise<void> {
    const claims = [...breakers.known].flatMap(([model, { claim }]) =>
      claim ? [{ model, claim }] : [],
    );
    const found = await this.memory.run(
      LOOK,
      [OPENINGS, ...claims.map(({ model }) => `causeway:probe:${model}`)],
      [
        PATIENCE_MS,
        LONGEST_REST_MS,
        this.me,
        LEASE_MS,
        LEAD_MS,
        ...claims.flatMap(({ model, claim }) => [model, claim]),
      ],
    );
    const notes = saidIn(found);
    if (!notes) return;
    for (const [model, said] of notes) {
      const breaker = breakers.of(model);
      if (said <= HAS_CLOSED) breaker.followClosing(HAS_CLOSED - said);
      else if (said === MAY_PROBE) breaker.lease();
      else breaker.follow(said);
    }
    // Opened while nobody answered, or forgotten there since.
    for (const [model, { waitMs }] of breakers.known) {
      if (waitMs > 0 && !notes.has(model)) this.changed(model, waitMs);
    }
  }
}
