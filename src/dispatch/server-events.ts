import { isBroken } from '../providers/dialects/broken-event.js';
import { type RawEvent, type ServerEvent } from '../providers/provider.js';
import { type Secrets } from '../upstream/secrets.js';
import { brokenAnswer } from './upstream-failure.js';

/** Events as they arrive, in handfuls. */
export type Batches = AsyncIterable<readonly RawEvent[]>;

/** The events one by one, for a codec. */
export async function* serverEvents(
  batches: Batches,
  secrets: Secrets,
): AsyncGenerator<ServerEvent> {
  for await (const batch of batches) {
    for (const event of batch) yield secrets.hiddenInEvent(event) ?? event;
  }
}

/**
 * The events as they are passed on: up to one that is cut or damaged, without which the answer would
 * look whole, and is not.
 *
 * @throws GatewayError 502 behind the events before it.
 */
export async function* passedOn(
  batches: Batches,
  secrets: Secrets,
  provider: string,
): AsyncGenerator<readonly RawEvent[]> {
  for await (const batch of batches) {
    const events: RawEvent[] = [];
    for (const event of batch) {
      if (isBroken(event)) break;
      const hidden = secrets.hiddenInEvent(event);
      events.push(hidden ? frameOf(hidden) : event);
    }
    if (events.length > 0) yield events;
    if (events.length < batch.length) throw brokenAnswer(provider);
  }
}

/** A codec's events as frames on the wire. */
export async function* framed(events: AsyncIterable<ServerEvent>): AsyncGenerator<RawEvent[]> {
  for await (const event of events) yield [frameOf(event)];
}

function frameOf({ name, data, isEstimate, spent }: ServerEvent): RawEvent {
  const head = name === undefined ? '' : `event: ${name}\n`;
  return { name, data, isEstimate, spent, bytes: Buffer.from(`${head}data: ${data}\n\n`) };
}
