import { type Dispatcher } from 'undici';

/** Chunks that wait for a slow reader before the provider's connection is paused. */
const HIGH_WATER_BYTES = 256 * 1024;

/**
 * The body of a provider's answer as it arrives: one reader, back-pressure on the connection, and
 * the connection is freed when the reader leaves early.
 */
export class AnswerBody implements AsyncIterable<Buffer>, AsyncIterator<Buffer> {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private state: 'open' | 'ended' | 'failed' = 'open';
  private error: unknown;
  private waiting: PromiseWithResolvers<IteratorResult<Buffer>> | undefined;

  constructor(private readonly controller: Dispatcher.DispatchController) {}

  push(chunk: Buffer): void {
    if (this.waiting) {
      this.waiting.resolve({ done: false, value: chunk });
      this.waiting = undefined;
      return;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > HIGH_WATER_BYTES) this.controller.pause();
  }

  end(): void {
    this.state = 'ended';
    this.waiting?.resolve({ done: true, value: undefined });
    this.waiting = undefined;
  }

  fail(error: unknown): void {
    this.state = 'failed';
    this.error = error;
    this.waiting?.reject(error);
    this.waiting = undefined;
  }

  next(): Promise<IteratorResult<Buffer>> {
    const chunk = this.chunks.shift();
    if (chunk) {
      this.bytes -= chunk.length;
      if (this.bytes <= HIGH_WATER_BYTES / 2 && this.controller.paused) this.controller.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.state === 'ended') return Promise.resolve({ done: true, value: undefined });
    // Whatever was thrown or given as the signal's reason is what the reader sees.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    if (this.state === 'failed') return Promise.reject(this.error);
    this.waiting = Promise.withResolvers<IteratorResult<Buffer>>();
    return this.waiting.promise;
  }

  return(): Promise<IteratorResult<Buffer>> {
    if (this.state === 'open') this.controller.abort(new Error('the reader left'));
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
