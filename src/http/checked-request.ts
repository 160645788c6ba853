import { isUtf8 } from 'node:buffer';
import { type Config } from '../config/config.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { GatewayError } from '../contract/gateway-error.js';
import { withoutMark } from '../json/byte-order-mark.js';
import { pythonJsonErrorSteps } from '../json/python-json-error.js';
import { type Bounds, REQUEST_BOUNDS } from '../json/bounds.js';
import { parseSteps } from '../json/parse-steps.js';
import { countedParts, countingSteps } from '../json/excess.js';
import { innerParts } from '../json/inner-parts.js';
import { keepMembers } from '../json/splice.js';
import { LARGE_BYTES, nextFreeRound, timeSliced } from '../json/time-sliced.js';
import { BODY_REFUSALS, type BodyRefusals } from './body-refusals.js';
import { type BodyCheck } from './body-check.js';
import { checkExtraHeaders } from './extra-headers.js';
import { type GatewayRequest } from './gateway-request.js';
import { isDeclaredUtf8, isJson } from './media-type.js';
import { readBody } from './read-body.js';

/**
 * Reads a request's JSON body and checks it.
 *
 * @throws GatewayError 413, 415 or 400 for a body that cannot be read, and what the DTO's style
 *   answers to one that is wrong.
 */
export async function checkedRequest<T extends object>(
  request: GatewayRequest,
  { check, answersWith, mayBeAbsent }: BodyCheck,
  config: Config,
): Promise<CheckedBody<T>> {
  const refusals = BODY_REFUSALS[answersWith];
  const received = await readBody(request, config.bodyLimitBytes);
  await request.pass?.();
  if (received.length === 0) {
    if (mayBeAbsent) return { value: {} as T, bytes: received, edits: new Map() };
    throw refusals.empty();
  }
  const contentType = request.headers['content-type'];
  if (!isJson(contentType)) throw refusals.notJson();
  if (!isDeclaredUtf8(contentType)) throw wrongCharset();
  // Python skips it too, and so characters are counted from behind it.
  const bytes = withoutMark(received);
  const isLarge = bytes.length >= LARGE_BYTES;
  let parts = 0;
  const counted = (seen: number): void => {
    parts = seen;
    request.lease?.forParts(bytes.length, seen);
  };
  const value = await (isLarge ? parsedInSlices : parsed)(bytes, refusals, counted);
  const all = parts + (await timeSliced(innerParts(value, REQUEST_BOUNDS.parts - parts)));
  if (all > REQUEST_BOUNDS.parts) throw exceeding('parts', refusals);
  counted(all);
  if (value === null && answersWith === 'http-validation') throw refusals.empty();
  const { problems, edits } = check(value);
  const [first, ...rest] = problems;
  if (first) throw refusals.problems([first, ...rest]);
  const { extra_headers: headers } = value as { extra_headers?: Record<string, string> };
  if (headers) checkExtraHeaders(headers);
  // A large value was looked through, and will be.
  if (isLarge) await nextFreeRound();
  return { value: value as T, bytes, edits };
}

async function parsed(
  bytes: Buffer,
  refusals: BodyRefusals,
  counted: (parts: number) => void,
): Promise<unknown> {
  if (!isUtf8(bytes)) throw notUtf8(refusals);
  const parts = countedParts(bytes, REQUEST_BOUNDS);
  if (typeof parts === 'string') throw exceeding(parts, refusals);
  counted(parts);
  const text = bytes.toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw await broken(text, refusals);
  }
}

/** As `parsed`, while others are served. */
async function parsedInSlices(
  bytes: Buffer,
  refusals: BodyRefusals,
  counted: (parts: number) => void,
): Promise<unknown> {
  if (!isUtf8(bytes)) throw notUtf8(refusals);
  await nextFreeRound();
  const found = await timeSliced(parseSteps(bytes, REQUEST_BOUNDS, undefined, counted));
  await nextFreeRound();
  if (found && 'value' in found) {
    if (found.members) keepMembers(bytes, found.members);
    return found.value;
  }
  const tooMuch = found?.tooMuch ?? (await timeSliced(countingSteps(bytes, REQUEST_BOUNDS)));
  if (typeof tooMuch === 'string') throw exceeding(tooMuch, refusals);
  throw await broken(bytes.toString(), refusals);
}

/** Where the fault is takes longer to find than that there is one. */
async function broken(text: string, refusals: BodyRefusals): Promise<GatewayError> {
  return refusals.brokenJson((await timeSliced(pythonJsonErrorSteps(text))) ?? UNEXPLAINED);
}

function notUtf8(refusals: BodyRefusals): GatewayError {
  return refusals.brokenJson({ message: 'Invalid UTF-8', offset: 0 });
}

function exceeding(tooMuch: keyof Bounds, refusals: BodyRefusals): GatewayError {
  return refusals.brokenJson({ message: TOO_MUCH[tooMuch], offset: 0 });
}

const UNEXPLAINED = { message: 'Expecting value', offset: 0 };

const TOO_MUCH: Record<keyof Bounds, string> = {
  depth: `Nested deeper than ${REQUEST_BOUNDS.depth} levels`,
  parts: `More than ${REQUEST_BOUNDS.parts} objects, arrays, members and texts of lists`,
  members: `More than ${REQUEST_BOUNDS.members} members in one object`,
};

function wrongCharset(): GatewayError {
  return new GatewayError(
    415,
    'unsupported_media_type',
    'The request body must be UTF-8: send it with Content-Type: application/json.',
  );
}
