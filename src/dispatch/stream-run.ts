import { setImmediate as nextRound } from 'node:timers/promises';
import { type GatewayError } from '../contract/gateway-error.js';
import { NO_USAGE, withHelp } from '../contract/usage.js';
import { LEFT_STATUS } from '../contract/usage-record.js';
import { type RawEvent, type StreamTap, type Target } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { verdictOf } from '../upstream/verdict.js';
import { callMetadata, withMetadata } from './call-metadata.js';
import { type Call } from './call.js';
import { type Batches } from './server-events.js';
import { ReadAhead } from './read-ahead.js';
import { type Settlement } from './settlement.js';
import { brokenAnswerOf, failureInside, naming } from './upstream-failure.js';

type BatchIterator = ReadAhead<readonly RawEvent[]>;

/** One stream on its way to the caller: read by its tap, paid for before its end is shown. */
export class StreamRun {
  private firstByteMs: number | null = null;
  /** Whether the caller was there when the answer began, and so has its head. */
  private isHeard = true;
  private readonly startedAt = performance.now();

  constructor(
    private readonly call: Call,
    private readonly target: Target,
    private readonly tap: StreamTap,
    private readonly settlement: Settlement,
  ) {}

  /**
   * Waits for the first event that goes to the caller, and takes what has come with it; until then a
   * failure is an ordinary error.
   *
   * @param headers those of the answer, which may say when to come back.
   * @throws GatewayError when the stream fails or ends before that.
   */
  async start(events: Batches, headers: IncomingAnswer['headers']): Promise<AsyncIterable<Buffer>> {
    const batches: BatchIterator = new ReadAhead(events[Symbol.asyncIterator]());
    let first: Buffer | undefined;
    let isOver: boolean;
    try {
      ({ first, isOver } = await this.beginning(batches));
    } catch (error) {
      await batches.return();
      throw error;
    }
    this.firstByteMs = performance.now() - this.call.context.receivedAt;
    this.isHeard = !this.isLeft;
    // What was produced before the failure came in the same piece, and belongs to the caller.
    const { state, outputBytes, complete } = this.tap;
    const isBroken = state === 'failed' || (state === 'open' && isOver && !complete);
    if ((isBroken && outputBytes === 0) || (!first && state === 'open')) {
      await batches.return();
      throw this.failure(headers);
    }
    this.call.permit?.answered();
    return this.rest(batches, first, this.introduction());
  }

  /** The first piece: up to some output, or as much as is there when the event loop has come round. */
  private async beginning(
    batches: BatchIterator,
  ): Promise<{ readonly first: Buffer | undefined; readonly isOver: boolean }> {
    const pieces: Buffer[] = [];
    let round: Promise<void> | undefined;
    while (this.tap.state === 'open') {
      if (pieces.length > 0) {
        round ??= nextRound();
        if (this.tap.outputBytes > 0 || !(await batches.hasNext(round))) break;
      }
      const { done, value } = await this.next(batches);
      if (done) return { first: joined(pieces), isOver: true };
      const piece = this.take(value);
      if (piece) pieces.push(piece);
    }
    return { first: joined(pieces), isOver: false };
  }

  /** Puts into the first piece that takes it what the tries were, where the caller wants to know. */
  private introduction(): (piece: Buffer) => Buffer {
    const { model } = this.target;
    const ms = Math.round(performance.now() - this.startedAt);
    const running = { model: model.id, provider: model.provider, status: 200, ms };
    let metadata = callMetadata(this.call, [running]);
    return (piece) => {
      const introduced = metadata === undefined ? undefined : withMetadata(piece, metadata);
      if (introduced) metadata = undefined;
      return introduced ?? piece;
    };
  }

  /**
   * Tells the permit how the stream ended, and throws what broke it, after the call's record is
   * written.
   */
  private async *rest(
    batches: BatchIterator,
    first: Buffer | undefined,
    introduced: (piece: Buffer) => Buffer,
  ): AsyncGenerator<Buffer> {
    const { tap } = this;
    const { permit } = this.call;
    let isEnding = false;
    try {
      if (first) yield introduced(first);
      while (tap.state === 'open') {
        const { done, value } = await this.next(batches);
        if (done) break;
        const piece = this.take(value);
        if (piece) yield introduced(piece);
      }
      if (tap.state === 'open' && !tap.complete) throw brokenAnswerOf(this.target.model.provider);
      isEnding = true;
      permit?.end(tap.state === 'failed' ? verdictOf(this.failure()) : 'works');
      if (tap.state === 'failed') await this.settle('error');
      else {
        const closing = tap.closing(await this.settle(this.isLeft ? 'client_closed' : 'ok'));
        yield introduced(closing);
      }
    } catch (error) {
      if (!isEnding) {
        isEnding = true;
        permit?.end(this.isLeft ? 'neither' : verdictOf(error));
        await this.settle(this.isLeft ? 'client_closed' : 'error');
      }
      throw error;
    } finally {
      // The reader left between two pieces: the caller hung up.
      if (!isEnding) {
        permit?.end('neither');
        await this.readOn(batches);
        await this.settle('client_closed');
      }
      await batches.return();
    }
  }

  /** What breaks a stream off behind an answer that is complete only ends it. */
  private async next(
    batches: BatchIterator,
  ): Promise<IteratorResult<readonly RawEvent[], unknown>> {
    try {
      return await batches.next();
    } catch (error) {
      if (!this.tap.complete) throw naming(this.target.model.provider, error);
      return { done: true, value: undefined };
    }
  }

  /** Reads to the usage, where the provider goes on and charges for it; what opened it sets bounds. */
  private async readOn(batches: BatchIterator): Promise<void> {
    if (this.target.connection.provider.onDisconnect !== 'drain') return;
    try {
      while (this.tap.state === 'open') {
        const { done, value } = await batches.next();
        if (done) return;
        this.take(value);
      }
    } catch {
      // It is paid for what was seen until then.
    }
  }

  /** Its caller hung up; the provider may go on all the same. */
  private get isLeft(): boolean {
    return this.call.context.signal.aborted;
  }

  private take(batch: readonly RawEvent[]): Buffer | undefined {
    const pieces: Buffer[] = [];
    for (const event of batch) {
      const piece = this.tap.take(event);
      if (piece) pieces.push(piece);
      if (this.tap.state !== 'open') break;
    }
    return joined(pieces);
  }

  private failure(headers?: IncomingAnswer['headers']): GatewayError {
    const { provider } = this.target.model;
    const { error } = this.tap;
    return error ? failureInside(provider, error, headers) : brokenAnswerOf(provider);
  }

  /**
   * Whatever became of it, its caller had its head, unless it had left before. Where the provider says that
   * it failed before it said anything it costs nothing, as where the failure comes before the head.
   */
  private settle(outcome: 'ok' | 'error' | 'client_closed') {
    const { state, tools, isFinal, outputBytes } = this.tap;
    const isInVain = state === 'failed' && !saysSomething(this.tap);
    const usage = isInVain ? undefined : this.tap.usage;
    return this.settlement.settle(this.call, this.target, {
      outcome,
      status: this.isHeard ? 200 : LEFT_STATUS,
      usage,
      tools,
      isFinal,
      outputBytes,
      firstByteMs: this.firstByteMs,
    });
  }
}

function joined(pieces: readonly Buffer[]): Buffer | undefined {
  return pieces.length < 2 ? pieces[0] : Buffer.concat(pieces);
}

/** Whether there is something of an answer; pictures are not counted in bytes. */
function saysSomething({ usage = NO_USAGE, outputBytes }: StreamTap): boolean {
  const { images, imageOutputTokens } = withHelp(usage);
  return outputBytes + images + imageOutputTokens > 0;
}
