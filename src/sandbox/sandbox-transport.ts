import { randomUUID } from 'node:crypto';
import { setTimeout as timer } from 'node:timers/promises';
import { type Format } from '../contract/endpoint.js';
import { NO_BOUNDS } from '../json/bounds.js';
import { nestsAtMost } from '../json/excess.js';
import { joined } from '../json/joined.js';
import { parseSteps } from '../json/parse-steps.js';
import { LARGE_BYTES, timeSliced } from '../json/time-sliced.js';
import { type Fields, isObject, isText, parsedObject } from '../json/values.js';
import { type OutgoingRequest, type Transport } from '../providers/transport.js';
import { type SandboxEndpoint } from './answer.js';
import { countMessageTokens, messages } from './anthropic.js';
import { type Behaviour, behaviourOf } from './behaviour.js';
import { chatCompletions } from './chat.js';
import { delivered, silence } from './delivery.js';
import { embeddings } from './embeddings.js';
import { readForm } from './form.js';
import { editImages, generateImages } from './images.js';
import { errorBody, Refusal } from './refusal.js';

const ENDPOINTS: readonly (readonly [path: string, format: Format, endpoint: SandboxEndpoint])[] = [
  ['/v1/messages', 'anthropic', messages],
  ['/v1/messages/count_tokens', 'anthropic', countMessageTokens],
  ['/chat/completions', 'openai', chatCompletions],
  ['/embeddings', 'openai', embeddings],
  ['/images/generations', 'openai', generateImages],
  ['/images/edits', 'openai', editImages],
];

const DEEPEST_JSON = 128;

/** Where the sandbox takes its time from. */
export interface SandboxClock {
  /** Unix milliseconds. */
  now(): number;
  /** Rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Answers every call as a provider would, without a network; the model's name picks the faults. */
export const sandboxTransport: Transport = sandboxWith({ now: Date.now, sleep });

/** The sandbox with a clock of the caller's own. */
export function sandboxWith(clock: SandboxClock): Transport {
  return async (request, { signal, sent }) => {
    signal.throwIfAborted();
    sent?.();
    const { pathname } = request.url;
    const [, format = 'openai', endpoint] =
      ENDPOINTS.find(([path]) => pathname.endsWith(path)) ?? [];
    const requestId = `req_${randomUUID().replaceAll('-', '')}`;
    const id = { [format === 'anthropic' ? 'request-id' : 'x-request-id']: requestId };
    try {
      if (!endpoint) throw unknown(pathname);
      const body = await bodyOf(request);
      const behaviour = behaviourOf(modelOf(body));
      await play(behaviour, clock, signal);
      const answer = await endpoint({ body, created: Math.floor(clock.now() / 1000) });
      const streams = 'frames' in answer;
      if (behaviour.type === 'stall' && !streams) await silence(signal);
      const type = streams ? 'text/event-stream; charset=utf-8' : 'application/json';
      return {
        status: 200,
        headers: { 'content-type': type, ...id },
        body: delivered(answer, behaviour.type, signal),
      };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const retry = thrown.status === 429 ? { 'retry-after': '1' } : {};
      return {
        status: thrown.status,
        headers: { 'content-type': 'application/json', ...id, ...retry },
        body: delivered({ json: errorBody(format, thrown, requestId) }, 'answer', signal),
      };
    }
  };
}

async function bodyOf({ headers, body }: OutgoingRequest): Promise<Fields> {
  const pieces = 'pieces' in body ? body.pieces() : body;
  const type = new Headers(headers).get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) return readForm(pieces, type);
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const fields = await fieldsOf(await joined(chunks, length));
  if (fields) return fields;
  throw new Refusal(400, 'The body is not a JSON object.', { code: 'invalid_json' });
}

/** A large one is parsed in time slices. */
async function fieldsOf(bytes: Buffer): Promise<Fields | undefined> {
  if (bytes.length < LARGE_BYTES) {
    return nestsAtMost(bytes, DEEPEST_JSON) ? parsedObject(bytes.toString()) : undefined;
  }
  const parsed = await timeSliced(parseSteps(bytes, { ...NO_BOUNDS, depth: DEEPEST_JSON }));
  return parsed && 'value' in parsed && isObject(parsed.value) ? parsed.value : undefined;
}

function modelOf({ model }: Fields): string {
  if (isText(model)) return model;
  throw new Refusal(400, 'model: Field required', {
    param: 'model',
    code: 'missing_required_parameter',
  });
}

function unknown(path: string): Refusal {
  return new Refusal(404, `Unknown request URL: ${path}`, { code: 'unknown_url' });
}

/** What a model does before it looks at the request at all. */
async function play(behaviour: Behaviour, clock: SandboxClock, signal: AbortSignal): Promise<void> {
  if (behaviour.type === 'slow') await clock.sleep(behaviour.ms, signal);
  if (behaviour.type !== 'error') return;
  const { status } = behaviour;
  throw new Refusal(status, `The sandbox answers with status ${status}, as its model's name asks.`);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted();
  });
}
