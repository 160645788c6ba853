import { parsedJson } from '../json/values.js';
import { type RawEvent } from '../providers/provider.js';
import { boundedEvent } from './event-bounds.js';
import { PendingPieces } from './pending-pieces.js';
import { tooMuch } from './too-much.js';

const LF = 0x0a;
/** No line of any provider comes near this. */
const LONGEST_LINE_BYTES = 32 * 1024 * 1024;

/**
 * Cuts a byte stream into lines of JSON, one batch for each chunk that completes any. Empty lines
 * are left out, and so is a last line that breaks off. https://github.com/ndjson/ndjson-spec
 *
 * @param hold is told of the bytes that wait for the end of a long line.
 * @throws GatewayError 502 when a line never ends, or has too much in it.
 */
export async function* ndjsonFrames(
  body: AsyncIterable<Buffer>,
  hold?: (bytes: number) => void,
): AsyncGenerator<RawEvent[]> {
  const pending = new PendingPieces(hold);
  for await (const chunk of body) {
    pending.add(chunk);
    if (pending.length > LONGEST_LINE_BYTES) {
      throw tooMuch('The provider sent a line without an end.');
    }
    if (!chunk.includes(LF)) continue;
    const text = pending.take();
    const end = text.lastIndexOf(LF) + 1;
    if (end < text.length) pending.add(text.subarray(end));
    const events = linesOf(text.subarray(0, end));
    if (events.length > 0) yield events;
  }
  const last = linesOf(pending.take()).filter(({ data }) => parsedJson(data) !== undefined);
  if (last.length > 0) yield last;
}

function linesOf(text: Buffer): RawEvent[] {
  return (
    boundedEvent(text)
      .toString()
      .split('\n')
      // Also takes off a carriage return and a byte order mark.
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((data) => ({ name: undefined, data, bytes: Buffer.from(`${data}\n`) }))
  );
}
