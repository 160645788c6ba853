import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type RequestContext } from '../contract/caller.js';

/** How long an answer is read on after its caller has left. */
export const LONGEST_DRAIN_MS = 30_000;
/** How much of it is read by then. */
export const MOST_DRAINED_BYTES = 16 * 1024 * 1024;
/** How many answers are read on at the same time; a call beyond them is cut at once. */
export const MOST_DRAINS = 200;

/**
 * Answers that are read on when their callers have left, because their provider works on and charges
 * for it all the same: so what they cost is known.
 */
@Injectable()
export class Drains implements BeforeApplicationShutdown {
  /** With what ends that each is counted with its memory and its place. */
  private readonly running = new Map<Drain, () => void>();
  private stopped = false;

  /** The means to keep a call for a while that its caller has left. */
  for({ signal, outlive }: Pick<RequestContext, 'signal' | 'outlive'>): Drain {
    const drain: Drain = new Drain(signal, {
      begun: () => {
        if (this.stopped || this.running.size >= MOST_DRAINS) drain.cut();
        else this.running.set(drain, outlive());
      },
      ended: () => {
        this.running.get(drain)?.();
        this.running.delete(drain);
      },
    });
    return drain;
  }

  /** What was seen until now is paid for while that can still be written. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const drain of this.running.keys()) drain.cut();
    await nextRound();
  }
}

/** One call, which outlives its caller within bounds. */
class Drain {
  private readonly cutting = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;
  private isSent = false;

  constructor(
    private readonly caller: AbortSignal,
    private readonly told: { begun: () => void; ended: () => void },
  ) {
    if (caller.aborted) this.cut();
    else caller.addEventListener('abort', this.begin, { once: true });
  }

  /** Aborted when the call is to be cut, with the caller's own reason. */
  get signal(): AbortSignal {
    return this.cutting.signal;
  }

  /** To be called when the request has left: who left before it is not worked for. */
  sent(): void {
    this.isSent = true;
  }

  /** The body, with its bytes counted from the moment at which the caller left. */
  async *reading(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const piece of body) {
        if (this.caller.aborted) this.bytes += piece.length;
        if (this.bytes > MOST_DRAINED_BYTES) this.cut();
        this.signal.throwIfAborted();
        yield piece;
      }
    } finally {
      this.end();
    }
  }

  cut(): void {
    this.cutting.abort(this.caller.reason);
  }

  /** To be called when the call is over, unless its body has been read. */
  end(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.begin);
    this.told.ended();
  }

  private readonly begin = (): void => {
    if (!this.isSent) {
      this.cut();
      return;
    }
    this.timer = setTimeout(() => {
      this.cut();
    }, LONGEST_DRAIN_MS);
    this.told.begun();
  };
}
