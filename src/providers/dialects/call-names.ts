/** The calls by one id in what the assistant says at once. */
interface Calls {
  readonly run: number;
  readonly names: string[];
  /** How many of them have a result. */
  answered: number;
}

/**
 * Gives the calls of a conversation names that no two of them share, in the order in which they come. A name
 * depends on nothing that comes later: what a provider has cached of a conversation stays good when it goes on.
 * Several results by an id that was called several times at once belong to these calls in their order.
 */
export class CallNames {
  private readonly taken = new Set<string>();
  private readonly counts = new Map<string, number>();
  /** The newest calls of an id. */
  private readonly calls = new Map<string, Calls>();
  private run = 0;
  private isAssistants = false;

  /** @param spelled an id as the provider takes it. */
  constructor(private readonly spelled: (id: string) => string) {}

  /** Tells whose the next calls and results are. */
  speaker(isAssistant: boolean): void {
    if (isAssistant && !this.isAssistants) this.run += 1;
    this.isAssistants = isAssistant;
  }

  /** The name of a call, which is its spelled id where that is free and there is one. */
  ofCall(id: string): string {
    const name = this.free(this.spelled(id) || 'call');
    this.taken.add(name);
    const calls = this.calls.get(id);
    if (calls?.run === this.run) calls.names.push(name);
    else this.calls.set(id, { run: this.run, names: [name], answered: 0 });
    return name;
  }

  /** The name of the call that a result answers; one of its own where there is no such call. */
  ofResult(id: string): string {
    const calls = this.calls.get(id);
    const name = calls?.names[Math.min(calls.answered, calls.names.length - 1)];
    if (!calls || name === undefined) return this.ofCall(id);
    calls.answered += 1;
    return name;
  }

  private free(id: string): string {
    if (!this.taken.has(id)) return id;
    const beginning = id.slice(0, KEPT);
    let count = this.counts.get(beginning) ?? 1;
    let name: string;
    do name = `${beginning}_${(count += 1)}`;
    while (this.taken.has(name));
    this.counts.set(beginning, count);
    return name;
  }
}

/** Characters of an id that leave room for a count: 64 is what all take. */
const KEPT = 56;
