import { type ServerResponse } from 'node:http';
import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { type Handler, type Received } from './fake-upstream.js';
import {
  begin,
  good,
  goodObject,
  goodText,
  isStream,
  streamStart,
  textBlock,
} from './fault-answers.js';

/**
 * What the caller gets: a good answer, a status, or a stream that ends in an error event of a type.
 * `overloaded` is 529 in Anthropic's API and 503 in OpenAI's.
 */
export type Ending =
  'answer' | 'overloaded' | 'api_error' | 'overloaded_error' | 'timeout_error' | number;

/** A way to fail, and what comes of it for whole answers and for streams. */
export interface FaultMode {
  readonly name: string;
  readonly act: Handler;
  readonly whole: Ending;
  readonly stream: Ending;
}

/** What a provider says of the caller's own mistakes, which the caller has to read. */
export const TOLD = 'Too tall for this ride';

const JSON_HEAD = { 'content-type': 'application/json' };
const EVENTS_HEAD = { 'content-type': 'text/event-stream' };

/** Every fault whose answer ends, but for those of size and of a stream's events. */
export const FAULT_MODES: readonly FaultMode[] = [
  mode('UF-2 resets the connection before the head', (response) => reset(response), 502),
  mode('UF-3 resets the connection in the body', resetInBody, 502, 'api_error'),
  mode('UF-4 hangs before the head', () => undefined, 504),
  mode('UF-4 says for ever that it works', worksOn, 504),
  mode('UF-5 hangs in the body', hangInBody, 504, 'timeout_error'),
  mode('UF-6 drips', drip, 'answer'),
  mode('UF-7 sends single bytes', split, 'answer'),
  mode('UF-10 sends JSON that is wrong', sends('{"id": nope}'), 502),
  mode('UF-10 sends JSON that is cut', cutJson, 502),
  mode('UF-10 sends nothing', sends(''), 502),
  mode('UF-10 answers 204', sends('', 204, {}), 502),
  mode('UF-10 sends an event that is broken', sends('data: {"a\n\n', 200, EVENTS_HEAD), 502),
  mode('UF-11 names another content type', mislabelled('text/plain'), 'answer'),
  mode('UF-11 calls everything JSON', mislabelled('application/json'), 'answer'),
  mode('UF-12 shows a page with 502', page(502), 502),
  mode('UF-12 shows a page with 200', page(200), 502),
  mode('UF-13 puts an error into 200', sends(error('api_error', 'Broken')), 502),
  mode('UF-13 is overloaded in 200', sends(error('overloaded_error', 'Busy')), 'overloaded'),
  mode('UF-14 cuts its gzip', cutGzip, 502),
  mode('UF-14 encodes six times', sixfold, 502),
  mode('UF-15 redirects', sends('', 301, { location: 'http://127.0.0.1:1/' }), 502),
  mode('UF-16 says 429', sends(error('rate_limit_error', TOLD), 429, retryAfter('7')), 429),
  mode('UF-17 answers 500', sends(error('api_error', 'Secret trace'), 500), 502),
  mode('UF-17 answers 502', sends(error('api_error', 'Secret trace'), 502), 502),
  mode('UF-17 answers 503', sends(error('api_error', 'Secret trace'), 503), 502),
  mode('UF-17 answers 504', sends(error('api_error', 'Secret trace'), 504), 504),
  mode('UF-17 answers 529', sends(error('api_error', 'Secret trace'), 529), 'overloaded'),
  mode('UF-18 refuses with 400', sends(error('invalid_request_error', TOLD), 400), 400),
  mode('UF-18 repeats our key in 400', leakKey(400), 400),
  mode('UF-18 repeats our key in 401', leakKey(401), 502),
  mode('UF-18 repeats our key in 403', leakKey(403), 502),
  mode('UF-18 repeats our key in 200', leakKey(200), 400),
  mode('UF-18 repeats our key in an event', leakInEvent, 400),
  mode('UF-22 gives two lengths', twoLengths, 502),
];

/** Fails so often, then answers well, and begins again. */
export function flaky(times: number): Handler {
  let asked = 0;
  return (response, request) => {
    const fails = asked++ % (times + 1) < times;
    if (fails) void sends(error('api_error', 'Flaky'), 503)(response, request);
    else good(response, request);
  };
}

/** A good answer without its usage, or with this one. */
export function reporting(usage: object | undefined): Handler {
  return (response, request) => {
    begin(response, request);
    response.end(JSON.stringify({ ...goodObject(request), usage }));
  };
}

/** A good answer, and behind it one that nobody asked for. */
export function extraBytes(text: string, unasked: string): Handler {
  return (response, request) => {
    const type = isStream(request) ? 'text/event-stream' : 'application/json';
    const answers = [text, unasked].map((one) => raw(one, Buffer.byteLength(one), '', type));
    response.socket?.write(answers.join(''));
  };
}

/** Begins with a text and repeats another one without end, as fast as it is taken. */
export function endless(
  start: string,
  piece = 'a'.repeat(1 << 20),
  sent: (bytes: number) => void = () => undefined,
  status = 200,
): Handler {
  const bytes = Buffer.from(piece);
  return (response, request) => {
    begin(response, request, {}, status);
    response.write(start);
    const more = (): void => {
      while (!response.destroyed) {
        sent(bytes.length);
        if (!response.write(bytes)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  };
}

/** Half a gigabyte in half a megabyte. */
export function gzipBomb(): Handler {
  const piece = Buffer.alloc(1 << 20, 'a');
  // After a full flush, compressed bytes depend on nothing before them: the same ones serve 512 times.
  const packed = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: 512 }, () => packed);
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  end.writeUInt32LE(
    pieces.reduce((sum) => crc32(piece, sum), 0),
    2,
  );
  end.writeUInt32LE(piece.length * pieces.length, 6);
  const bomb = Buffer.concat([Buffer.from('1f8b08000000000000ff', 'hex'), ...pieces, end]);
  return (response, request) => {
    begin(response, request, { 'content-encoding': 'gzip' });
    response.end(bomb);
  };
}

/** Repeats the key and the address that it was sent, as some providers do. */
export function leakKey(status: number): Handler {
  return (response, request) => void sends(leak(request), status)(response, request);
}

function leakInEvent(response: ServerResponse, request: Received): void {
  begin(response, request);
  response.end(isStream(request) ? `event: error\ndata: ${leak(request)}\n\n` : leak(request));
}

function leak({ headers }: Received): string {
  const { authorization = '', 'x-api-key': key = '', host = '' } = headers;
  const message = `${TOLD}. Incorrect API key provided at ${host}: ${authorization}${String(key)}`;
  return error('invalid_request_error', message);
}

export function error(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message } });
}

export function sends(text: string, status = 200, headers: object = JSON_HEAD): Handler {
  return (response) => {
    response.writeHead(status, { ...headers }).end(text);
  };
}

function mode(name: string, act: Handler, whole: Ending, stream = whole): FaultMode {
  return { name, act, whole, stream };
}

function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}

/** The head and a part of the body; of a stream a few whole events. */
function half(response: ServerResponse, request: Received): Promise<void> {
  const part = isStream(request) ? streamStart() + textBlock('h') : '{"id":';
  begin(response, request, isStream(request) ? {} : { 'content-length': 10_000 });
  return new Promise((written) => response.write(part, () => written()));
}

function worksOn(response: ServerResponse): void {
  const saying = setInterval(() => {
    response.writeProcessing();
  }, 100);
  response.once('close', () => {
    clearInterval(saying);
  });
}

async function resetInBody(response: ServerResponse, request: Received): Promise<void> {
  await half(response, request);
  await delay(20);
  reset(response);
}

async function hangInBody(response: ServerResponse, request: Received): Promise<void> {
  await half(response, request);
}

/** Slower in all than the gateway of the tests waits between two pieces. */
export async function drip(response: ServerResponse, request: Received): Promise<void> {
  const bytes = Buffer.from(goodText(request));
  const size = Math.ceil(bytes.length / 12);
  begin(response, request);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await delay(100);
  }
  response.end();
}

async function split(response: ServerResponse, request: Received): Promise<void> {
  response.socket?.setNoDelay(true);
  begin(response, request);
  const bytes = Buffer.from(goodText(request));
  for (let at = 0; at < bytes.length; at += 1) {
    response.write(bytes.subarray(at, at + 1));
    await nextRound();
  }
  response.end();
}

function cutJson(response: ServerResponse, request: Received): void {
  response.writeHead(200, JSON_HEAD).end(JSON.stringify(goodObject(request)).slice(0, -5));
}

function mislabelled(type: string): Handler {
  return (response, request) => {
    response.writeHead(200, { 'content-type': type }).end(goodText(request));
  };
}

function page(status: number): Handler {
  return sends('<html><title>Bad Gateway</title></html>', status, { 'content-type': 'text/html' });
}

function cutGzip(response: ServerResponse, request: Received): void {
  begin(response, request, { 'content-encoding': 'gzip' });
  response.end(gzipSync(goodText(request)).subarray(0, 30));
}

function sixfold(response: ServerResponse, request: Received): void {
  const encodings = Array.from({ length: 6 }, () => 'gzip');
  begin(response, request, { 'content-encoding': encodings.join(', ') });
  response.end(encodings.reduce((bytes) => gzipSync(bytes), Buffer.from(goodText(request))));
}

function retryAfter(seconds: string): object {
  return { ...JSON_HEAD, 'retry-after': seconds };
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 has such an answer refused. */
function twoLengths(response: ServerResponse, request: Received): void {
  const text = goodText(request);
  const length = Buffer.byteLength(text);
  response.socket?.write(raw(text, length, `content-length: ${length + 5}\r\n`));
}

/** An answer as it goes over the wire. */
function raw(text: string, length: number, headers = '', type = 'application/json'): string {
  return (
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n` +
    `content-length: ${length}\r\n${headers}\r\n${text}`
  );
}
