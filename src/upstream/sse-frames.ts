import { withoutMark } from '../json/byte-order-mark.js';
import { parsedJson } from '../json/values.js';
import { type RawEvent } from '../providers/provider.js';
import { boundedEvent } from './event-bounds.js';
import { PendingPieces } from './pending-pieces.js';
import { tooMuch } from './too-much.js';

const LF = 0x0a;
const CR = 0x0d;
const LOWER_D = 0x64;
const COLON = 0x3a;
/** No event of any provider comes near this; images in a stream are the largest. */
const LONGEST_EVENT_BYTES = 32 * 1024 * 1024;

/**
 * Cuts a byte stream into server-sent events, one batch for each chunk that completes any. Bytes
 * are not copied unless an event spans chunks, or lines end with CR alone. A last event without its
 * closing blank line is given one, a piece of an event at the end is dropped, and so are comments.
 *
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * @param hold is told of the bytes that wait for the end of a long event.
 * @throws GatewayError 502 when an event never ends, or has too much in it.
 */
export async function* sseFrames(
  body: AsyncIterable<Buffer>,
  hold?: (bytes: number) => void,
): AsyncGenerator<RawEvent[]> {
  const pending = new PendingPieces(hold);
  let atStart = true;
  const lineFeeds = new LineFeeds();
  for await (const piece of body) {
    const chunk = lineFeeds.in(piece);
    if (chunk.length === 0) continue;
    const { tail } = pending;
    pending.add(chunk);
    if (pending.length > LONGEST_EVENT_BYTES) {
      throw tooMuch('The provider sent an event without an end.');
    }
    if (!closesEvent(tail, chunk)) continue;
    let text = pending.take();
    if (atStart) {
      text = withoutMark(text);
      atStart = false;
    }
    const events: RawEvent[] = [];
    let start = 0;
    // What stands before the tail was searched already.
    const searched = Math.max(0, text.length - chunk.length - tail.length);
    for (let end = boundary(text, searched); end !== undefined; end = boundary(text, start)) {
      const event = new Frame(boundedEvent(text.subarray(start, end)));
      if (!event.isComment()) events.push(event);
      start = end;
    }
    if (start < text.length) pending.add(text.subarray(start));
    if (events.length > 0) yield events;
  }
  if (pending.length > 0) {
    const last = new Frame(boundedEvent(Buffer.concat([pending.take(), Buffer.from('\n\n')])));
    if (last.isWhole()) yield [last];
  }
}

/**
 * Makes line feeds of the carriage returns that stand alone. One that ends a chunk may be half of a
 * line's end, and waits for the next chunk; but in a stream that is known to end its lines so, where
 * every event would be late then.
 */
class LineFeeds {
  private standAlone = false;
  private last: 'other' | 'waits' | 'made' = 'other';

  in(chunk: Buffer): Buffer {
    if (chunk.length === 0) return chunk;
    let text = chunk;
    if (this.last === 'waits') text = Buffer.concat([Buffer.of(CR), chunk]);
    if (this.last === 'made' && chunk[0] === LF) text = chunk.subarray(1);
    this.last = 'other';
    let made: Buffer | undefined;
    for (let at = text.indexOf(CR); at >= 0; at = text.indexOf(CR, at + 1)) {
      const isLast = at === text.length - 1;
      if (text[at + 1] === LF) continue;
      if (isLast) this.last = this.standAlone ? 'made' : 'waits';
      if (this.last === 'waits') return (made ?? text).subarray(0, at);
      this.standAlone = true;
      made ??= Buffer.from(text);
      made[at] = LF;
    }
    return made ?? text;
  }
}

/** Whether the newest chunk brings a blank line, which may begin in the tail of those before it. */
function closesEvent(tail: Buffer, newest: Buffer): boolean {
  const text = tail.length === 0 ? newest : Buffer.concat([tail, newest]);
  return boundary(text, 0) !== undefined;
}

/** The end of the first event that closes at or after `from`: behind its blank line. */
function boundary(text: Buffer, from: number): number | undefined {
  for (let at = text.indexOf(LF, from); at >= 0; at = text.indexOf(LF, at + 1)) {
    if (text[at + 1] === LF) return at + 2;
    if (text[at + 1] === CR && text[at + 2] === LF) return at + 3;
  }
  return undefined;
}

/** An event whose fields are read only when somebody asks. */
class Frame implements RawEvent {
  private known: string | undefined;
  private parsed: { readonly value: unknown } | undefined;
  /** What `line` has found: null for nothing. */
  private single: string | null | undefined;

  constructor(readonly bytes: Buffer) {}

  /** Undefined for `message`, which an event without a name is called as well. */
  get name(): string | undefined {
    const { written } = this;
    return written === 'message' || written === '' ? undefined : written;
  }

  private get written(): string | undefined {
    // Nearly every event is one line of data, or begins with its name; this is asked for each one.
    if (this.bytes[0] === LOWER_D && this.oneLine !== null) return '';
    if (this.bytes.toString('latin1', 0, 7) !== 'event: ') return this.field('event')[0];
    const end = this.bytes.indexOf(LF);
    return this.bytes.toString('utf8', 7, this.bytes[end - 1] === CR ? end - 1 : end);
  }

  get data(): string {
    return (this.known ??= this.oneLine ?? this.field('data').join('\n'));
  }

  /** What the data says, for `jsonIn`; undefined where it is no JSON. */
  get json(): unknown {
    return (this.parsed ??= { value: parsedJson(this.data) }).value;
  }

  isComment(): boolean {
    const first = this.bytes[0];
    if (first !== COLON && first !== LF && first !== CR) return false;
    return this.name === undefined && this.data === '';
  }

  /** A last event without a blank line counts only when its data is all there. */
  isWhole(): boolean {
    return this.data === '[DONE]' || this.json !== undefined;
  }

  private get oneLine(): string | null {
    return (this.single ??= this.line() ?? null);
  }

  /** The data of a frame that is a name, if any, and one line of data, as nearly all are. */
  private line(): string | undefined {
    const text = this.bytes.toString();
    const start = text.startsWith('event: ') ? text.indexOf('\n') + 1 : 0;
    const isLine =
      text.startsWith('data: ', start) && text.indexOf('\n', start) === text.length - 2;
    return isLine && text.at(-3) !== '\r' ? text.slice(start + 'data: '.length, -2) : undefined;
  }

  private field(name: string): string[] {
    const values: string[] = [];
    for (const line of this.bytes.toString().split(/\r?\n/)) {
      if (!line.startsWith(name) || line[name.length] !== ':') continue;
      const value = line.slice(name.length + 1);
      values.push(value.startsWith(' ') ? value.slice(1) : value);
    }
    return values;
  }
}
