import { type IncomingAnswer } from '../providers/transport.js';

/** Shorter texts are no secrets, and may stand in any sentence. */
const SHORTEST = 8;
const HIDDEN = Buffer.from('[key]');

/** The parts of a cloud's headers by which somebody else could call it, or learn whose account it is. */
const SECRETS: readonly (readonly [header: string, secret: RegExp])[] = [
  ['authorization', /^Bearer (.+)$/],
  ['authorization', /Credential=([^/]+)/],
  ['authorization', /Signature=(\w+)/],
  ['x-amz-security-token', /^(.+)$/],
];

/** AWS's binary events, which have checksums. */
const BINARY = 'application/vnd.amazon.eventstream';

/**
 * An answer that does not repeat the token or signature with which it was asked for, as some servers and
 * proxies repeat what they were sent; they do not write binary events.
 */
export function withoutProof(
  answer: IncomingAnswer,
  proof: Readonly<Record<string, string>>,
): IncomingAnswer {
  const secrets = SECRETS.flatMap(([header, secret]) => secret.exec(proof[header] ?? '')?.[1] ?? [])
    .filter((secret) => secret.length >= SHORTEST)
    .map((secret) => Buffer.from(secret));
  const isBinary = answer.headers['content-type']?.startsWith(BINARY);
  return secrets.length === 0 || isBinary
    ? answer
    : { ...answer, body: without(secrets, answer.body) };
}

/** No generator, which could not be left while it waits for a piece. */
function without(
  secrets: readonly Buffer[],
  body: AsyncIterable<Buffer>,
): AsyncIterableIterator<Buffer, undefined> {
  const pieces: AsyncIterator<Buffer, unknown> = body[Symbol.asyncIterator]();
  let begun = NOTHING;
  return {
    async next() {
      for (;;) {
        const { done, value } = await pieces.next();
        const told = done
          ? begun
          : secrets.reduce(hidden, begun.length > 0 ? Buffer.concat([begun, value]) : value);
        const left = done ? 0 : Math.max(...secrets.map((secret) => begunAtEnd(told, secret)));
        begun = Buffer.from(told.subarray(told.length - left));
        if (told.length > left) return { done: false, value: told.subarray(0, told.length - left) };
        if (done) return { done: true, value: undefined };
      }
    },
    async return() {
      await pieces.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const NOTHING = Buffer.alloc(0);

function hidden(text: Buffer, secret: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, from)) {
    pieces.push(text.subarray(from, at), HIDDEN);
    from = at + secret.length;
  }
  return from === 0 ? text : Buffer.concat([...pieces, text.subarray(from)]);
}

/** How many bytes at the end of a text may be the beginning of a secret whose rest comes later. */
function begunAtEnd(text: Buffer, secret: Buffer): number {
  const [first = 0] = secret;
  let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
  while (at >= 0 && !secret.subarray(0, text.length - at).equals(text.subarray(at))) {
    at = text.indexOf(first, at + 1);
  }
  return at < 0 ? 0 : text.length - at;
}
