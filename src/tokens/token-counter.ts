import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'node:worker_threads';
import { estimateInput } from './estimate.js';
import { inputTexts } from './input-texts.js';

/** Text that is counted piece by piece; a longer one is sampled, evenly, so that work is bounded. */
const MOST_COUNTED = 200_000;
const SAMPLE = 2_048;
/** Beyond these, an estimate by length answers: at once, or when the counter takes too long. */
const MOST_WAITING = 8;
const MOST_MS = 3_000;
/** The thread holds some 80 MB, which it gives back when nobody counts. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly done: (tokens: number | undefined) => void;
}

/**
 * Counts the input of a request by OpenAI's newest tokenizer: an estimate for other makers' models,
 * and bounded in time for any text. The work is done in another thread.
 */
@Injectable()
export class TokenCounter implements OnApplicationShutdown {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;

  /** The input tokens of a Messages request; never fails. */
  async count(body: unknown): Promise<number> {
    const { texts, tokens } = inputTexts(body);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length === 0) return tokens;
    const sample = length <= MOST_COUNTED ? texts : sampleOf(texts, length);
    const counted = await this.ask(sample);
    if (counted === undefined) return estimateInput(body);
    const sampled = sample.reduce((sum, text) => sum + text.length, 0);
    return tokens + Math.ceil((counted * length) / sampled);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.idle);
    await this.stop();
  }

  private ask(texts: readonly string[]): Promise<number | undefined> {
    if (this.waiting.size >= MOST_WAITING) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const id = ++this.lastId;
    const limit = setTimeout(() => {
      this.settle(id, undefined);
    }, MOST_MS);
    this.waiting.set(id, {
      done: (tokens) => {
        clearTimeout(limit);
        resolve(tokens);
      },
    });
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.postMessage({ id, texts });
    return promise;
  }

  private start(): Worker {
    const worker = new Worker(new URL(`./count-worker${EXTENSION}`, import.meta.url));
    worker.on('message', ({ id, tokens }: { id: number; tokens: number }) => {
      this.settle(id, tokens);
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

  private async stop(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private settle(id: number, tokens: number | undefined): void {
    this.waiting.get(id)?.done(tokens);
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
  }
}

/** `.js`; `.ts` where the sources run as they are. */
const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/** Pieces from the whole length of the text, about as much as is counted. */
function sampleOf(texts: readonly string[], length: number): string[] {
  const every = length / MOST_COUNTED;
  const pieces: string[] = [];
  let due = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += SAMPLE) {
      const piece = Math.min(SAMPLE, text.length - at);
      due += piece;
      if (due < every * piece) continue;
      due -= every * piece;
      pieces.push(text.slice(at, at + piece));
    }
  }
  return pieces;
}
