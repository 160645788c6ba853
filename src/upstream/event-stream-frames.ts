import { crc32 } from 'node:zlib';
import { GatewayError } from '../contract/gateway-error.js';
import { BROKEN_OFF, brokenAnswer } from '../providers/dialects/broken-answer.js';
import { type RawEvent } from '../providers/provider.js';
import { boundedEvent } from './event-bounds.js';
import { PendingPieces } from './pending-pieces.js';

/** The length of the message, the length of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** AWS itself stops at 24 MB. */
const LONGEST_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * Cuts AWS' binary event stream into events, one batch for each piece that completes any. An event
 * is named by its `:event-type`, an exception by its `:exception-type` and any other failure
 * `error`; the data is the payload's text. InvokeModel wraps a model's own events in `chunk` events:
 * those come out unwrapped, named by their `type`.
 *
 * https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html,
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html
 *
 * @param hold is told of the bytes that wait for the end of a long event.
 * @throws GatewayError 502 when a checksum or a length is wrong, an event has too much in it,
 * or the stream ends inside a message.
 */
export async function* eventStreamFrames(
  body: AsyncIterable<Buffer>,
  hold?: (bytes: number) => void,
): AsyncGenerator<RawEvent[]> {
  const pending = new PendingPieces(hold);
  let wanted = PRELUDE_BYTES;
  for await (const chunk of body) {
    pending.add(chunk);
    if (pending.length < wanted) continue;
    let rest = pending.take();
    const events: RawEvent[] = [];
    let failure: GatewayError | undefined;
    try {
      for (wanted = lengthOf(rest); rest.length >= wanted; wanted = lengthOf(rest)) {
        events.push(eventOf(rest.subarray(0, wanted)));
        rest = rest.subarray(wanted);
      }
    } catch (error) {
      const damaged = 'The provider sent an event that is damaged.';
      failure = error instanceof GatewayError ? error : brokenAnswer(damaged, { cause: error });
    }
    if (rest.length > 0) pending.add(rest);
    // What came whole before the damage belongs to the caller.
    if (events.length > 0) yield events;
    if (failure) throw failure;
  }
  if (pending.length > 0) throw brokenAnswer(BROKEN_OFF);
}

/** Of the message that begins here; as much as is needed to know, while that is not here yet. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < PRELUDE_BYTES) return PRELUDE_BYTES;
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw new Error('prelude checksum');
  const length = bytes.readUInt32BE(0);
  const least = PRELUDE_BYTES + bytes.readUInt32BE(4) + CHECKSUM_BYTES;
  if (length < least || length > LONGEST_MESSAGE_BYTES) throw new Error(`length ${length}`);
  return length;
}

function eventOf(message: Buffer): RawEvent {
  const end = message.length - CHECKSUM_BYTES;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) throw new Error('checksum');
  const headersEnd = PRELUDE_BYTES + message.readUInt32BE(4);
  const headers = stringHeaders(message.subarray(PRELUDE_BYTES, headersEnd));
  const payload = boundedEvent(message.subarray(headersEnd, end)).toString();
  switch (headers.get(':message-type')) {
    case 'exception':
      return new Message(headers.get(':exception-type') ?? 'error', payload);
    case 'error': {
      const code = headers.get(':error-code');
      return new Message('error', JSON.stringify({ code, message: headers.get(':error-message') }));
    }
    default: {
      const name = headers.get(':event-type');
      return (name === 'chunk' ? unwrapped(payload) : undefined) ?? new Message(name, payload);
    }
  }
}

/** The bytes that a header's value takes, by its type; those of 6 (bytes) and 7 (string) are told. */
const VALUE_BYTES: readonly (number | 'told' | undefined)[] = [
  0,
  0,
  1,
  2,
  4,
  8,
  'told',
  'told',
  8,
  16,
];
const STRING = 7;

/** @throws RangeError when a header reaches beyond the bytes. */
function stringHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const type = bytes.readUInt8(nameEnd);
    const size = VALUE_BYTES[type];
    if (size === undefined) throw new RangeError(`header type ${type}`);
    const start = nameEnd + (size === 'told' ? 3 : 1);
    const end = start + (size === 'told' ? bytes.readUInt16BE(nameEnd + 1) : size);
    if (end > bytes.length) throw new RangeError('header length');
    if (type === STRING) {
      headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', start, end));
    }
    at = end;
  }
  return headers;
}

/** The model's own event inside a `chunk`; undefined when there is none. */
function unwrapped(payload: string): Message | undefined {
  const { bytes } = JSON.parse(payload) as { bytes?: unknown };
  if (typeof bytes !== 'string') return undefined;
  const data = boundedEvent(Buffer.from(bytes, 'base64')).toString();
  const { type } = JSON.parse(data) as { type?: unknown };
  return new Message(typeof type === 'string' ? type : undefined, data);
}

class Message implements RawEvent {
  readonly name: string | undefined;

  constructor(
    name: string | undefined,
    readonly data: string,
  ) {
    // It goes into a line of its own.
    this.name = name !== undefined && /^[\w.-]+$/.test(name) ? name : undefined;
  }

  get bytes(): Buffer {
    const head = this.name === undefined ? '' : `event: ${this.name}\n`;
    return Buffer.from(`${head}data: ${this.data.replace(/\r\n|\n|\r/g, '\ndata: ')}\n\n`);
  }
}
