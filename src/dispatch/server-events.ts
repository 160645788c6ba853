import { type RawEvent, type ServerEvent } from '../providers/provider.js';

/** Events as they arrive, in handfuls. */
export type Batches = AsyncIterable<readonly RawEvent[]>;

/** The events one by one, for a codec. */
export async function* serverEvents(batches: Batches): AsyncGenerator<ServerEvent> {
  for await (const batch of batches) yield* batch;
}

/** A codec's events as frames on the wire. */
export async function* framed(events: AsyncIterable<ServerEvent>): AsyncGenerator<RawEvent[]> {
  for await (const { name, data, isEstimate } of events) {
    const head = name === undefined ? '' : `event: ${name}\n`;
    yield [{ name, data, isEstimate, bytes: Buffer.from(`${head}data: ${data}\n\n`) }];
  }
}
