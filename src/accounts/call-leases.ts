/**
 * The leases of the calls that run, by the names of the limits that count them. A lease names one call
 * and begins with who runs it, so that its calls can be ended when it is gone.
 */
export class CallLeases {
  private readonly leases = new Map<string, Set<string>>();

  begin(lease: string, names: readonly string[]): void {
    for (const name of names) {
      const leases = this.leases.get(name);
      if (leases) leases.add(lease);
      else this.leases.set(name, new Set([lease]));
    }
  }

  end(lease: string, names: readonly string[]): void {
    for (const name of names) {
      const leases = this.leases.get(name);
      leases?.delete(lease);
      if (leases?.size === 0) this.leases.delete(name);
    }
  }

  /** Ends the calls whose leases begin so. */
  endAll(beginning: string): void {
    for (const [name, leases] of this.leases) {
      for (const lease of leases) if (lease.startsWith(beginning)) this.end(lease, [name]);
    }
  }

  count(name: string): number {
    return this.leases.get(name)?.size ?? 0;
  }

  all(): Iterable<[string, ReadonlySet<string>]> {
    return this.leases;
  }
}
