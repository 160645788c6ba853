import { type Script } from '../redis/connection.js';
import { type InMemory } from '../shared/in-memory.js';
import { type CallCounts } from './breaker-window.js';
import { ANYONE, COUNT, HAS_CLOSED, LOOK, MAY_PROBE, NOTE } from './health-scripts.js';

/** What a process counted of a model, in milliseconds of `now`. */
interface Told extends CallCounts {
  readonly model: string;
  readonly by: string;
  readonly at: number;
}

/** Who may probe a model, and until when. */
interface Lease {
  readonly by: string;
  readonly until: number;
}

/** What a process wants of a lease. */
interface Claim {
  readonly lease: string;
  readonly how: string | number | undefined;
}

/** What the scripts of health do in Redis, in the memory of the primary. */
export class HealthNotes {
  /** When something gets calls again, by name and by who keeps such notes; below zero, that it does. */
  private readonly boards = new Map<string, Map<string, number>>();
  /** One for each model that has been probed. */
  private readonly leases = new Map<string, Lease>();
  private readonly told = new Map<string, Told>();

  constructor(private readonly now = () => performance.now()) {}

  get scripts(): Iterable<readonly [Script, InMemory]> {
    return [
      [NOTE, this.note],
      [LOOK, this.look],
      [COUNT, this.count],
    ];
  }

  private readonly note: InMemory = (keys, [name, forMs]) => {
    const [now, ms] = [this.now(), Number(forMs)];
    const notes = this.notesOf(keys);
    const noted = notes.get(String(name)) ?? 0;
    notes.set(String(name), ms > 0 ? Math.max(noted, now + ms) : -now);
    return 1;
  };

  private readonly look: InMemory = (keys, [keptMs, mostMs, me, leaseMs, leadMs, ...asked]) => {
    const now = this.now();
    const notes = this.notesOf(keys);
    const claims = claimsIn(keys, asked);
    // Who probes knows that the model is open, whatever has become of the notes.
    for (const [model, { how }] of claims) {
      if (how === 'probes' && !notes.has(model)) notes.set(model, now);
    }
    return [...notes].flatMap(([name, noted]) => {
      const claim = claims.get(name);
      const isDue = claim?.how === 'probes' && noted > 0 && noted < now;
      const at = isDue ? now : Math.min(noted, now + Number(mostMs));
      if (Math.abs(at) < now - Number(keptMs)) {
        notes.delete(name);
        return [];
      }
      notes.set(name, at);
      const mayProbe = claim && at > 0 && at - now <= Number(leadMs);
      if (mayProbe && this.isLeased(claim, String(me), Number(leaseMs))) {
        return [name, MAY_PROBE];
      }
      // What was added to the time comes back from it a little more or less.
      const restMs = Math.min(Math.max(at - now, 0), Number(mostMs));
      return [name, at < 0 ? HAS_CLOSED - (now + at) : restMs];
    });
  };

  private readonly count: InMemory = (_keys, [by, keptMs, ...news]) => {
    const now = this.now();
    for (let index = 0; index + 2 < news.length; index += 3) {
      const [model, calls, failures] = [news[index], news[index + 1], news[index + 2]];
      const counts = { calls: Number(calls), failures: Number(failures) };
      this.told.set(`${by} ${model}`, { model: String(model), by: String(by), at: now, ...counts });
    }
    const others = new Map<string, CallCounts>();
    for (const [key, told] of this.told) {
      if (now - told.at > Number(keptMs)) this.told.delete(key);
      else if (told.by !== by) others.set(told.model, sum(told, others.get(told.model)));
    }
    return [...others].flatMap(([model, { calls, failures }]) => [model, calls, failures]);
  };

  private isLeased({ lease, how }: Claim, me: string, ms: number): boolean {
    const now = this.now();
    const held = this.leases.get(lease);
    const holder = held && held.until > now ? held.by : me;
    if (holder !== me && holder !== ANYONE) return false;
    this.leases.set(lease, { by: how === 'shares' ? ANYONE : holder, until: now + ms });
    return true;
  }

  private notesOf([board = '']: readonly string[]): Map<string, number> {
    const notes = this.boards.get(board) ?? new Map<string, number>();
    this.boards.set(board, notes);
    return notes;
  }
}

/** The leases that are asked for, and how, by model. */
function claimsIn([, ...leases]: readonly string[], asked: readonly (string | number)[]) {
  const claims = leases.map((lease, index) => {
    const [model, how] = [asked[2 * index], asked[2 * index + 1]];
    return [String(model), { lease, how }] as const;
  });
  return new Map(claims);
}

function sum(one: CallCounts, other: CallCounts | undefined): CallCounts {
  const { calls = 0, failures = 0 } = other ?? {};
  return { calls: one.calls + calls, failures: one.failures + failures };
}
