import { type Attempt } from '../contract/usage-record.js';
import { ROUTER } from '../contract/router.js';
import { spliceObject } from '../json/splice.js';
import { type Call } from './call.js';

const HEADER = 'x-causeway-metadata';
const DATA = Buffer.from('data: ');

/** So many candidates are told of, the best first; a catalogue may have hundreds. */
const MOST_CANDIDATES = 100;

/** The value of `causeway_metadata` as JSON text, as `metadataOf`. */
export function callMetadata(call: Call, running: readonly Attempt[] = []): string | undefined {
  return JSON.stringify(metadataOf(call, running));
}

/**
 * The value of `causeway_metadata`: what was asked for, which models were tried, and what the router
 * made of each.
 * Undefined for a caller who did not ask for it by `x-causeway-metadata: enabled`.
 */
export function metadataOf(call: Call, running: readonly Attempt[] = []): object | undefined {
  if (call.context.headers[HEADER] !== 'enabled') return undefined;
  return {
    requested: call.requestedModel,
    strategy: strategyOf(call),
    attempts: [...call.attempts, ...running],
    candidates: call.candidates?.slice(0, MOST_CANDIDATES),
  };
}

/** An event of a stream with the metadata in it; undefined where its data is no JSON object. */
export function withMetadata(event: Buffer, metadata: string): Buffer | undefined {
  const start = event.indexOf(DATA);
  if (start < 0) return undefined;
  const from = start + DATA.length;
  const end = event.indexOf('\n', from);
  const edits = new Map([['causeway_metadata', metadata]]);
  const pieces = spliceObject(event.subarray(from, end), edits);
  return pieces && Buffer.concat([event.subarray(0, from), ...pieces, event.subarray(end)]);
}

/** By its place in the plan: the model that was asked for may stand among `fallbacks` again. */
function strategyOf({ requestedModel, body, following }: Call): 'direct' | 'fallback' | 'router' {
  if (requestedModel === ROUTER) return 'router';
  const { fallbacks } = body.value as { fallbacks?: readonly unknown[] | null };
  return following.length < (fallbacks?.length ?? 0) ? 'fallback' : 'direct';
}
