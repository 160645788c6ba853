import { type Framing, type RawEvent } from '../providers/provider.js';
import { eventStreamFrames } from './event-stream-frames.js';
import { ndjsonFrames } from './ndjson-frames.js';
import { sseFrames } from './sse-frames.js';

type Cutter = (
  body: AsyncIterable<Buffer>,
  hold?: (bytes: number) => void,
) => AsyncIterable<readonly RawEvent[]>;

/** How each framing cuts a body into events. */
const CUTTERS: { readonly [F in Framing]?: Cutter } = {
  sse: sseFrames,
  ndjson: ndjsonFrames,
  'aws-event-stream': eventStreamFrames,
};

/**
 * The events of a stream, one batch for each piece of the body that completes any.
 *
 * @param hold is told of the bytes that wait for the end of a long event.
 * @throws GatewayError 502 when an event never ends or is not of the framing.
 */
export function frames(
  framing: Framing,
  body: AsyncIterable<Buffer>,
  hold?: (bytes: number) => void,
): AsyncIterable<readonly RawEvent[]> {
  return (CUTTERS[framing] ?? sseFrames)(body, hold);
}
