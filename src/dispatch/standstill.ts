import { LONGEST_TIMER_MS } from '../contract/longest-timer.js';
import { type RawEvent } from '../providers/provider.js';
import { TimeLimit } from '../upstream/time-limit.js';
import { type Batches } from './server-events.js';

/** Events by which providers show that they are there: Anthropic's, and those of OpenAI's Responses. */
const PINGS = new Set(['ping', 'keepalive']);

/** One of those without its name, or a chunk of a chat in which there is no choice. */
const SAYS_NOTHING = /"type":\s?"(?:ping|keepalive)"|"choices":\s?\[\]/;

/** What says nothing is short. */
const LONGEST_PING = 1_024;

/**
 * The batches of a stream as they come. One that sends comments, pings, or an event that does not end is
 * not silent, and may stand still all the same.
 */
export class Standstill implements AsyncIterableIterator<readonly RawEvent[], unknown> {
  private readonly source: AsyncIterator<readonly RawEvent[], unknown>;
  /** Runs from when the first batch is wanted. */
  private limit: TimeLimit | undefined;
  private isAwaited = false;
  /** The time was over while nobody wanted a batch: its reader is slow, and not the provider. */
  private isOwnDelay = false;

  /**
   * @param ms how long nothing may be said while the next batch is waited for.
   * @param isOver runs then.
   */
  constructor(
    batches: Batches,
    private readonly ms: number,
    private readonly isOver: () => void,
  ) {
    this.source = batches[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<readonly RawEvent[], unknown>> {
    this.limit ??= new TimeLimit(Math.min(this.ms, LONGEST_TIMER_MS), this.judge);
    if (this.isOwnDelay) this.limit.beginAnew();
    this.isOwnDelay = false;
    this.isAwaited = true;
    // Not an async function: a stream comes by here with each of its batches.
    return this.source.next().then(this.seen, this.broken);
  }

  async return(): Promise<IteratorResult<readonly RawEvent[], unknown>> {
    this.limit?.end();
    await this.source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private readonly seen = (
    next: IteratorResult<readonly RawEvent[], unknown>,
  ): IteratorResult<readonly RawEvent[], unknown> => {
    this.isAwaited = false;
    if (next.done) this.limit?.end();
    else if (next.value.some(saysSomething)) this.limit?.beginAnew();
    return next;
  };

  private readonly broken = (error: unknown): never => {
    this.limit?.end();
    throw error;
  };

  private readonly judge = (): void => {
    if (this.isAwaited) this.isOver();
    else this.isOwnDelay = true;
  };
}

function saysSomething({ name, data }: RawEvent): boolean {
  if (name !== undefined) return !PINGS.has(name);
  return data.length > LONGEST_PING || !SAYS_NOTHING.test(data);
}
