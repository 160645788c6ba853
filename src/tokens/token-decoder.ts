import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { BackgroundWorker } from '../threads/background-worker.js';

/** So many are turned into text at once, so that others have their turn in between. */
const AT_ONCE = 32_768;
/** No model reads longer texts, and one list cannot be cut: a character may be several tokens. */
export const MOST_TOKENS = 262_144;
/** Some tokens are a hundred characters long, and no model reads this much. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const LIMITS = { mostWaiting: 64, mostMs: 10_000, idleMs: 60_000 };

/**
 * Turns tokens back into text, for models that take text only. Tokens are those of `cl100k_base`, the
 * encoding of all of OpenAI's embedding models, in which clients of its format write them whatever
 * the model. The work is done in another thread.
 */
@Injectable()
export class TokenDecoder implements OnApplicationShutdown {
  private readonly worker = new BackgroundWorker<
    { inputs: readonly (readonly number[])[] },
    { texts?: readonly string[]; refused?: number }
  >(new URL('./decode-worker', import.meta.url), LIMITS);

  /**
   * One text for each list of tokens.
   *
   * @param asker the account, of which one question has its turn after one of each other's.
   * @throws GatewayError 400 for a number that is no token, 503 when too much of the account's is waiting.
   */
  async decode(inputs: readonly (readonly number[])[], asker = ''): Promise<readonly string[]> {
    const texts: string[] = [];
    let characters = 0;
    while (texts.length < inputs.length) {
      const batch = batchOf(inputs, texts.length);
      const answer = await this.worker.ask({ inputs: batch }, asker);
      if (!answer) throw tooBusy();
      const { texts: more, refused = 0 } = answer;
      if (!more) throw notTokens(texts.length + refused);
      for (const text of more) {
        characters += text.length;
        if (characters > MOST_CHARACTERS) throw notTokens(texts.length);
        texts.push(text);
      }
    }
    return texts;
  }

  onApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

/** The lists from `start` on that are decoded at once. */
function batchOf(inputs: readonly (readonly number[])[], start: number) {
  let tokens = 0;
  let end = start;
  for (; end < inputs.length && tokens < AT_ONCE; end++) {
    const length = inputs[end]?.length ?? 0;
    if (length > MOST_TOKENS) throw notTokens(end);
    tokens += length;
  }
  return inputs.slice(start, end);
}

function tooBusy(): GatewayError {
  const message = 'The gateway is too busy to read tokens. Send text.';
  return new GatewayError(503, 'provider_unavailable', message, { retryAfter: 1 });
}

function notTokens(item: number): GatewayError {
  const message =
    `Invalid 'input': item ${item} does not hold tokens of cl100k_base, ` +
    'which this model needs to be able to read. Send text.';
  return new GatewayError(400, 'invalid_value', message, { param: 'input' });
}
