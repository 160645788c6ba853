import { EventStreamCodec } from '@smithy/eventstream-codec';

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => Buffer.from(text),
);

/** A message of AWS's event stream, by AWS's own writer; a payload that is no text is written as JSON. */
export function awsFrame(headers: Record<string, string>, payload: unknown): Buffer {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const strings = Object.entries(headers).map(
    ([name, value]) => [name, { type: 'string' as const, value }] as const,
  );
  return Buffer.from(codec.encode({ headers: Object.fromEntries(strings), body }));
}

/** An event in such a message. */
export function awsEvent(name: string, payload: unknown): Buffer {
  return awsFrame({ ':message-type': 'event', ':event-type': name }, payload);
}
