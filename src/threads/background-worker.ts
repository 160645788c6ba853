import { Worker } from 'node:worker_threads';

/** When a worker is too busy, and when it may go. */
export interface WorkerLimits {
  /** Beyond this many waiting questions, and after this long, there is no answer. */
  readonly mostWaiting: number;
  readonly mostMs: number;
  /** After this long without a question the thread ends, and gives its memory back. */
  readonly idleMs: number;
}

/**
 * A thread that starts with the first question and ends when nobody asks. It is sent `{id, …question}`
 * and answers `{id, …answer}`.
 */
export class BackgroundWorker<Question extends object, Answer extends object> {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, (answer: Answer | undefined) => void>();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;

  /** @param module of the thread, without its extension. */
  constructor(
    private readonly module: URL,
    private readonly limits: WorkerLimits,
  ) {}

  /** Undefined when the worker is too busy, too slow or gone; never throws. */
  ask(question: Question): Promise<Answer | undefined> {
    if (this.waiting.size >= this.limits.mostWaiting) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const id = ++this.lastId;
    const limit = setTimeout(() => {
      this.settle(id, undefined);
    }, this.limits.mostMs);
    this.waiting.set(id, (answer) => {
      clearTimeout(limit);
      resolve(answer);
    });
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.postMessage({ id, ...question });
    return promise;
  }

  async stop(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL(`${this.module.href}${EXTENSION}`));
    worker.on('message', ({ id, ...answer }: { id: number } & Answer) => {
      this.settle(id, answer as unknown as Answer);
    });
    const gone = (): void => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const id of this.waiting.keys()) this.settle(id, undefined);
    };
    worker.on('error', gone).on('exit', gone);
    // It does not keep the process alive.
    worker.unref();
    return worker;
  }

  private settle(id: number, answer: Answer | undefined): void {
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.stop(), this.limits.idleMs).unref();
  }
}

/** `.js`; `.ts` where the sources run as they are. */
const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
