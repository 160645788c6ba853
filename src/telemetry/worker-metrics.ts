import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** What one process has counted, as its registry gives it. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/**
 * Adds up what workers have counted. What those had counted that are gone is kept as it was seen
 * last: a counter that fell would look like a new start of everything.
 */
export class WorkerMetrics {
  private readonly seen = new Map<number, Snapshot>();
  private gone: readonly Snapshot[] = [];
  /** Whoever has left while all were asked; an id is given once. */
  private readonly left = new Set<number>();

  /**
   * All of them together, in Prometheus' text format.
   *
   * @param snapshots by the workers' ids; one that is missing is taken as it was before.
   */
  async text(snapshots: ReadonlyMap<number, Snapshot>): Promise<string> {
    for (const [id, snapshot] of snapshots) {
      if (!this.left.has(id)) this.seen.set(id, snapshot);
    }
    const { gone } = this;
    if (gone.length > 1) {
      const together = await sumOf(gone).getMetricsAsJSON();
      this.gone = [together, ...this.gone.slice(gone.length)];
    }
    return sumOf([...this.gone, ...this.seen.values()]).metrics();
  }

  /** A worker is gone, and with it what its gauges showed. */
  leave(workerId: number): void {
    this.left.add(workerId);
    const last = this.seen.get(workerId);
    this.seen.delete(workerId);
    if (last) this.gone = [...this.gone, last.filter(({ type }) => String(type) !== 'gauge')];
  }
}

function sumOf(snapshots: readonly Snapshot[]): ReturnType<typeof AggregatorRegistry.aggregate> {
  return AggregatorRegistry.aggregate([...snapshots]);
}
