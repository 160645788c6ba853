import { Worker } from 'node:worker_threads';

/** When a worker is too busy, and when it may go. */
export interface WorkerLimits {
  /** Beyond this many waiting questions of one asker, and after this long, there is no answer. */
  readonly mostWaiting: number;
  readonly mostMs: number;
  /** After this long without a question the thread ends, and gives its memory back. */
  readonly idleMs: number;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly end: (answer: Answer | undefined) => void;
}

/**
 * A thread that starts with the first question and ends when nobody asks. It is sent one question after the
 * other, and answers each by a message: of those that wait, one of each asker in turn.
 */
export class BackgroundWorker<Question extends object, Answer extends object> {
  private worker: Worker | undefined;
  /** Who waits, by asker; the asker whose turn is next stands first. */
  private readonly queues = new Map<string, Waiting<Question, Answer>[]>();
  /** What the thread works on. */
  private running: Waiting<Question, Answer> | undefined;
  private idle: NodeJS.Timeout | undefined;
  /** Ends the thread where nobody waits any longer for what it works on. */
  private overdue: NodeJS.Timeout | undefined;

  /** @param module of the thread, without its extension. */
  constructor(
    private readonly module: URL,
    private readonly limits: WorkerLimits,
  ) {}

  /** Undefined when the worker is too busy, too slow or gone; never throws. */
  ask(question: Question, asker = ''): Promise<Answer | undefined> {
    const queue = this.queues.get(asker) ?? [];
    if (queue.length >= this.limits.mostWaiting) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const waiting = {
      question,
      end: (answer: Answer | undefined) => {
        clearTimeout(limit);
        resolve(answer);
      },
    };
    const limit = setTimeout(() => {
      this.keep(
        asker,
        (this.queues.get(asker) ?? []).filter((other) => other !== waiting),
      );
      waiting.end(undefined);
    }, this.limits.mostMs);
    queue.push(waiting);
    this.queues.set(asker, queue);
    this.next();
    return promise;
  }

  async stop(): Promise<void> {
    clearTimeout(this.idle);
    clearTimeout(this.overdue);
    const { worker } = this;
    this.worker = this.running = undefined;
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL(`${this.module.href}${EXTENSION}`));
    worker.on('message', (answer: Answer) => {
      if (this.worker === worker) this.answered(answer);
    });
    const gone = (): void => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.answered(undefined);
    };
    worker.on('error', gone).on('exit', gone);
    // It does not keep the process alive.
    worker.unref();
    return worker;
  }

  private answered(answer: Answer | undefined): void {
    clearTimeout(this.overdue);
    this.running?.end(answer);
    this.running = undefined;
    this.next();
  }

  private next(): void {
    if (this.running) return;
    clearTimeout(this.idle);
    const [[asker, queue] = []] = this.queues;
    const waiting = queue?.shift();
    if (asker === undefined || !queue || !waiting) {
      this.idle = setTimeout(() => void this.stop(), this.limits.idleMs).unref();
      return;
    }
    this.queues.delete(asker);
    this.keep(asker, queue);
    this.running = waiting;
    const worker = (this.worker ??= this.start());
    this.overdue = setTimeout(() => void worker.terminate(), this.limits.mostMs).unref();
    worker.postMessage(waiting.question);
  }

  private keep(asker: string, queue: Waiting<Question, Answer>[]): void {
    if (queue.length > 0) this.queues.set(asker, queue);
    else this.queues.delete(asker);
  }
}

/** `.js`; `.ts` where the sources run as they are. */
const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
