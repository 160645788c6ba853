interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** What one owner has, the entry that was used last at the end. */
interface Part<T> {
  readonly owner: string;
  readonly entries: Map<string, Entry<T>>;
}

interface Limits {
  readonly size: number;
  readonly ms: number;
  /** Whose a key is; without it all are one owner's. */
  readonly ownerOf?: (key: string) => string;
}

/**
 * Keeps the values used last, each for a limited time after it was set, and of no owner so many that others
 * lose theirs: when it is full, an owner with more than an equal part loses the one not used for longest.
 */
export class TimedCache<T> {
  /** The owner who was seen last stands at the end. */
  private readonly parts = new Map<string, Part<T>>();
  /** The largest part of the owners who were seen; others have been away for long, and stand in front. */
  private largest: Part<T> | undefined;
  private size = 0;

  constructor(
    private readonly limits: Limits,
    private readonly now = () => performance.now(),
  ) {}

  get(key: string): T | undefined {
    const entry = this.parts.get(this.ownerOf(key))?.entries.get(key);
    if (!entry) return undefined;
    this.delete(key);
    if (entry.until <= this.now()) return undefined;
    this.put(key, entry);
    return entry.value;
  }

  clear(): void {
    this.parts.clear();
    this.largest = undefined;
    this.size = 0;
  }

  set(key: string, value: T): void {
    this.delete(key);
    this.put(key, { value, until: this.now() + this.limits.ms });
    if (this.size > this.limits.size) this.makeRoom();
  }

  private ownerOf(key: string): string {
    return this.limits.ownerOf?.(key) ?? '';
  }

  private makeRoom(): void {
    const equalPart = this.limits.size / this.parts.size;
    const [longestAway] = this.parts.values();
    const isLarge = (this.largest?.entries.size ?? 0) > equalPart;
    const [oldest] = (isLarge ? this.largest : longestAway)?.entries.keys() ?? [];
    if (oldest !== undefined) this.delete(oldest);
  }

  private put(key: string, entry: Entry<T>): void {
    const owner = this.ownerOf(key);
    const part = this.parts.get(owner) ?? { owner, entries: new Map<string, Entry<T>>() };
    this.parts.delete(owner);
    this.parts.set(owner, part);
    part.entries.set(key, entry);
    this.size += 1;
    if (part.entries.size > (this.largest?.entries.size ?? 0)) this.largest = part;
  }

  private delete(key: string): void {
    const part = this.parts.get(this.ownerOf(key));
    if (!part?.entries.delete(key)) return;
    this.size -= 1;
    if (part.entries.size === 0) this.parts.delete(part.owner);
  }
}
