import { setImmediate as nextRound } from 'node:timers/promises';
import { parsedJson, parsedObject } from '../json/values.js';
import { isBroken } from '../providers/dialects/broken-event.js';
import { errorIn } from '../providers/dialects/provider-error.js';
import { type RawEvent, type ServerEvent } from '../providers/provider.js';
import { type Secrets } from '../upstream/secrets.js';
import { brokenAnswerOf, failureInside } from './upstream-failure.js';

/** Of a provider's events one may hold hundreds of thousands of tool calls, each several events here. */
const MOST_IN_A_ROUND = 200;

/** Events as they arrive, in handfuls. */
export type Batches = AsyncIterable<readonly RawEvent[]>;

/** The events one by one, for a codec; but for those that say nothing, such as a `retry:` alone. */
export async function* serverEvents(
  batches: Batches,
  secrets: Secrets,
): AsyncGenerator<ServerEvent> {
  for await (const batch of batches) {
    for (const event of batch) {
      const saysNothing = event.data === '' && event.name === undefined;
      if (!saysNothing) yield secrets.hiddenInEvent(event) ?? event;
    }
  }
}

/**
 * The events as they are passed on, each with its data in one line, into which others write: up to one
 * that is cut or damaged, without which the answer would look whole, and is not.
 *
 * @throws GatewayError 502 behind the events before it.
 */
export async function* passedOn(
  batches: Batches,
  secrets: Secrets,
  provider: string,
): AsyncGenerator<readonly RawEvent[]> {
  for await (const batch of batches) {
    const events: RawEvent[] = [];
    for (const event of batch) {
      if (isBroken(event)) break;
      const rewritten = secrets.hiddenInEvent(event) ?? inOneLine(event);
      events.push(rewritten ? frameOf(rewritten) : event);
    }
    if (events.length > 0) yield events;
    if (events.length < batch.length) throw brokenAnswerOf(provider);
  }
}

/**
 * A codec's events as frames on the wire, of which an error says what one in place of the whole
 * answer would: not what a provider that failed says of itself, and which request it was.
 */
export async function* framed(
  events: AsyncIterable<ServerEvent>,
  origin: Origin,
): AsyncGenerator<RawEvent[]> {
  let made = 0;
  for await (const event of events) {
    yield [frameOf(isError(event) ? toldError(event, origin) : event)];
    if (++made % MOST_IN_A_ROUND === 0) await nextRound();
  }
}

interface Origin {
  readonly provider: string;
  readonly requestId: string;
}

/** Some servers leave the names of events out. */
function isError({ name, data }: ServerEvent): boolean {
  if (name !== undefined) return name === 'error';
  return /"type"\s*:\s*"error"/.test(data) && parsedObject(data)?.type === 'error';
}

/** Also of an event that says nothing, or is no JSON: without a told error the stream would just end. */
function toldError(event: ServerEvent, { provider, requestId }: Origin): ServerEvent {
  const said = errorIn(parsedJson(event.data)) ?? { message: '' };
  const error = { type: said.type ?? 'api_error', message: failureInside(provider, said).message };
  const data = JSON.stringify({ type: 'error', error, request_id: requestId });
  return { ...event, name: 'error', data };
}

/** Undefined for one that is; the texts of JSON have no line feeds, so that only its space changes. */
function inOneLine({ name, data }: ServerEvent): ServerEvent | undefined {
  return data.includes('\n') ? { name, data: data.replaceAll('\n', ' ') } : undefined;
}

function frameOf({ name, data, isEstimate, spent, said }: ServerEvent): RawEvent {
  const head = name === undefined ? '' : `event: ${name}\n`;
  return { name, data, isEstimate, spent, said, bytes: Buffer.from(`${head}data: ${data}\n\n`) };
}
