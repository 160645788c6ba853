import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundWorker } from '../threads/background-worker.js';
import { estimateInput } from './estimate.js';
import { inputTexts } from './input-texts.js';

/** Text that is counted piece by piece; a longer one is sampled, evenly, so that work is bounded. */
const MOST_COUNTED = 200_000;
const SAMPLE = 2_048;
/** Beyond these an estimate by length answers. The thread holds some 80 MB. */
const LIMITS = { mostWaiting: 8, mostMs: 3_000, idleMs: 60_000 };

/**
 * Counts the input of a request by OpenAI's newest tokenizer: an estimate for other makers' models,
 * and bounded in time for any text. The work is done in another thread.
 */
@Injectable()
export class TokenCounter implements OnApplicationShutdown {
  private readonly worker = new BackgroundWorker<{ texts: readonly string[] }, { tokens: number }>(
    new URL('./count-worker', import.meta.url),
    LIMITS,
  );

  /**
   * The input tokens of a Messages request; never fails.
   *
   * @param asker the account, of which one question has its turn after one of each other's.
   */
  async count(body: unknown, asker = ''): Promise<number> {
    const { texts, tokens } = inputTexts(body);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length === 0) return tokens;
    const sample = length <= MOST_COUNTED ? texts : sampleOf(texts, length);
    const counted = await this.worker.ask({ texts: sample }, asker);
    if (!counted) return estimateInput(body);
    const sampled = sample.reduce((sum, text) => sum + text.length, 0);
    return tokens + Math.ceil((counted.tokens * length) / sampled);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker.stop();
  }
}

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
