import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;

/** What the event loop did since the last look. */
interface LoopLook {
  /** How long that was in ms: a timer that looks is itself late where the loop is. */
  readonly forMs: number;
  /** How late it ran what was due, in ms, on average. */
  readonly lateMs: number;
  /** The part of the time in which it had something to do. */
  readonly busy: number;
}

/** Looks at the event loop from time to time. */
export class EventLoop {
  private readonly delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private used: EventLoopUtilization = performance.eventLoopUtilization();
  private lookedAt = performance.now();

  start(): void {
    this.lookedAt = performance.now();
    this.delays.enable();
  }

  stop(): void {
    this.delays.disable();
  }

  look(): LoopLook {
    const now = performance.now();
    const forMs = now - this.lookedAt;
    this.lookedAt = now;
    const used = performance.eventLoopUtilization();
    const { utilization: busy } = performance.eventLoopUtilization(used, this.used);
    this.used = used;
    // The histogram counts the whole interval between two rounds; without one there was no round.
    const { count, mean } = this.delays;
    const lateMs = count === 0 ? forMs : Math.max(0, mean / NANOSECONDS_PER_MS - RESOLUTION_MS);
    this.delays.reset();
    return { forMs, lateMs, busy };
  }
}
