import { once } from 'node:events';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type Answer } from './answer.js';
import { type Behaviour } from './behaviour.js';

const CHUNK_BYTES = 65_536;

type Chunks = Iterable<string | Buffer>;

/**
 * The answer's body as it arrives, made while it is read; `stall` and `cut-stream` are played here.
 * Aborting the signal ends it with the signal's reason, also in the middle of a silence.
 */
export function delivered(
  answer: Answer,
  behaviour: Behaviour['type'],
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const chunks = chunksIn(answer);
  if (behaviour === 'stall') return stalled(chunks, signal);
  return paced(behaviour === 'cut-stream' ? firstHalf([...chunks]) : chunks, signal);
}

/** Waits for ever; rejects with the signal's reason when it aborts. */
export async function silence(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  signal.throwIfAborted();
}

function chunksIn(answer: Answer): Chunks {
  if ('frames' in answer) return answer.frames;
  return 'pieces' in answer ? answer.pieces : chunksOf(answer.json);
}

function* chunksOf(json: object): Generator<Buffer> {
  const bytes = Buffer.from(JSON.stringify(json));
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}

/** One chunk a round of the event loop, so that a long answer does not keep others waiting. */
async function* paced(chunks: Chunks, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    await nextRound();
    signal.throwIfAborted();
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

/** The first event, unless it is the whole answer, and then nothing. */
async function* stalled(chunks: Chunks, signal: AbortSignal): AsyncGenerator<Buffer> {
  const [first, second] = chunks;
  if (first !== undefined && second !== undefined) yield* paced([first], signal);
  await silence(signal);
}

/** Whole chunks, and a half of the one in the middle. */
function firstHalf(chunks: readonly (string | Buffer)[]): Chunks {
  const middle = Math.floor(chunks.length / 2);
  const broken = Buffer.from(chunks[middle] ?? '');
  return [...chunks.slice(0, middle), broken.subarray(0, Math.floor(broken.length / 2))];
}
