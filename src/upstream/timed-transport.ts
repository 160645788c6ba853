import { type Timeouts } from '../config/config.js';
import { type Transport } from '../providers/transport.js';
import { tooLate } from './too-late.js';

/**
 * A transport with the time limits of the network: to the head of the answer, between its pieces
 * and, except for streams, over all. What runs out of time fails with GatewayError 504.
 */
export function timed(transport: Transport, timeouts: Timeouts): Transport {
  return async (request, { signal, stream, sent }) => {
    const clock = new AbortController();
    const expire = (): void => {
      clock.abort(tooLate());
    };
    const total = stream ? undefined : setTimeout(expire, timeouts.totalMs);
    const head = setTimeout(expire, timeouts.firstByteMs);
    const stop = (): void => {
      clearTimeout(total);
      clearTimeout(head);
    };
    try {
      const limits = { signal: AbortSignal.any([signal, clock.signal]), stream, sent };
      const answer = await transport(request, limits);
      clearTimeout(head);
      return { ...answer, body: watched(answer.body, { idleMs: timeouts.idleMs, expire, stop }) };
    } catch (error) {
      stop();
      throw error;
    }
  };
}

async function* watched(
  body: AsyncIterable<Buffer>,
  { idleMs, expire, stop }: { idleMs: number; expire: () => void; stop: () => void },
): AsyncGenerator<Buffer> {
  const idle = setTimeout(expire, idleMs);
  try {
    for await (const chunk of body) {
      idle.refresh();
      yield chunk;
    }
  } finally {
    clearTimeout(idle);
    stop();
  }
}
