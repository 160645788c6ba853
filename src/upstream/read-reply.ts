import { Readable } from 'node:stream';
import { ANSWER_BOUNDS } from '../json/bounds.js';
import { withoutMark } from '../json/byte-order-mark.js';
import { parseSteps } from '../json/parse-steps.js';
import { LARGE_BYTES, timeSliced } from '../json/time-sliced.js';
import { type UpstreamReply } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { AnswerMemory } from './answer-memory.js';
import { tooMuch } from './too-much.js';

/** Longer answers are cut off: ten large images fit, an endless body does not. */
export const LONGEST_REPLY_BYTES = 96 * 1024 * 1024;

/** A refusal says what is wrong in a few words. */
export const LONGEST_REFUSAL_BYTES = 1024 * 1024;

/** And says it at once: the next try waits for it. */
const LONGEST_REFUSAL_MS = 5000;

/**
 * Reads an answer to its end.
 *
 * @param hold is told of the bytes of each piece, which stay in memory.
 * @param most how many bytes it may have.
 * @throws GatewayError 502 when it is longer, and what reading throws.
 */
export async function readReply(
  { status, headers, body }: IncomingAnswer,
  hold: (bytes: number) => void = () => undefined,
  most = LONGEST_REPLY_BYTES,
): Promise<UpstreamReply> {
  const memory = new AnswerMemory(headers, most);
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > most) {
        throw tooMuch('The provider sent an answer that is too long.');
      }
      hold(chunk.length);
      memory.add(chunk);
    }
  } catch (error) {
    memory.free();
    throw error;
  }
  const { bytes: all, free } = await memory.joined();
  const bytes = withoutMark(all);
  // Parsed once, however many ask.
  let parsed: { readonly value: unknown } | undefined;
  const json = (): unknown => (parsed ??= { value: JSON.parse(bytes.toString()) }).value;
  return { status, headers, bytes, json, ...(free && { free }) };
}

/**
 * Reads a refusal to its end, where it has one. Its status and headers say enough where it breaks off,
 * hangs or is too long; it has no bytes then, since a part of a text may hold a part of a key.
 */
export async function readRefusal(
  answer: IncomingAnswer,
  mostMs = LONGEST_REFUSAL_MS,
): Promise<UpstreamReply> {
  try {
    const body = inTime(answer.body, mostMs);
    return await readReply({ ...answer, body }, undefined, LONGEST_REFUSAL_BYTES);
  } catch {
    return readReply({ ...answer, body: Readable.from([]) });
  }
}

/** The pieces. @throws Error when the last one has not come in time, and what reading throws. */
async function* inTime(body: AsyncIterable<Buffer>, mostMs: number): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error('The provider did not finish its refusal in time.'));
  }, mostMs);
  const next = () => Promise.race([pieces.next(), late.promise]);
  try {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
  } finally {
    clearTimeout(timer);
    // Not waited for: it would wait for the piece that does not come.
    void pieces.return?.();
  }
}

/**
 * The reply, whose JSON is there at once, as parsing a large one is done here, in time slices.
 *
 * @throws what `parsedInSlices` throws.
 */
export async function parsedReply(reply: UpstreamReply): Promise<UpstreamReply> {
  return withJson(reply, await parsedInSlices(reply));
}

/** `parsedReply` of one of which nothing but the JSON is of use: the bytes of a large one are given back. */
export async function jsonReply(reply: UpstreamReply): Promise<UpstreamReply> {
  const value = await parsedInSlices(reply);
  if (value === undefined || value === null) return withJson(reply, value);
  reply.free?.();
  return withJson({ ...reply, bytes: NOTHING }, value);
}

/** @param value as `parsedInSlices` gives it: what is no JSON is not parsed a second time. */
function withJson(reply: UpstreamReply, value: unknown): UpstreamReply {
  if (value === undefined) return reply;
  const json = (): unknown => {
    if (value === null) throw new SyntaxError('The answer is no JSON');
    return value;
  };
  return { ...reply, json };
}

const NOTHING = Buffer.alloc(0);

/**
 * The JSON of a large reply, null where it is none; undefined for a small one, which is parsed as it is read.
 *
 * @throws GatewayError 502 when there is more in it than any answer has.
 */
export async function parsedInSlices({ bytes }: Pick<UpstreamReply, 'bytes'>): Promise<unknown> {
  if (bytes.length < LARGE_BYTES) return undefined;
  const parsed = await timeSliced(parseSteps(bytes, ANSWER_BOUNDS));
  if (parsed && 'tooMuch' in parsed) {
    throw tooMuch('The provider sent an answer with too much in it.');
  }
  return parsed?.value ?? null;
}
