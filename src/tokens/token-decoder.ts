import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { BackgroundWorker } from '../threads/background-worker.js';

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
   * @throws GatewayError 400 for a number that is no token, 503 when too much is waiting.
   */
  async decode(inputs: readonly (readonly number[])[]): Promise<readonly string[]> {
    const answer = await this.worker.ask({ inputs });
    if (answer?.texts) return answer.texts;
    if (answer?.refused === undefined) {
      const message = 'The gateway is too busy to read tokens. Send text.';
      throw new GatewayError(503, 'provider_unavailable', message, { retryAfter: 1 });
    }
    const message =
      `Invalid 'input': item ${answer.refused} does not hold tokens of cl100k_base, ` +
      'which this model needs to be able to read. Send text.';
    throw new GatewayError(400, 'invalid_value', message, { param: 'input' });
  }

  onApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
