import { type Insertable } from 'kysely';
import { withHelp } from '../contract/usage.js';
import { type UsageRecord } from '../contract/usage-record.js';
import { storable } from '../database/column-values.js';
import { type RequestsTable } from '../database/tables.js';

/** What is known of a call before it is made. */
export type CallFacts = Pick<
  UsageRecord,
  | 'requestId'
  | 'endpoint'
  | 'requestedModel'
  | 'model'
  | 'provider'
  | 'user'
  | 'metadata'
  | 'createdAt'
>;

/** The columns that say which call a row is of, with the caller's texts cut to their limits. */
export function callColumns(call: CallFacts) {
  return {
    request_id: call.requestId,
    endpoint: call.endpoint,
    requested_model: cut(call.requestedModel, MODEL_BYTES),
    model: call.model,
    provider: call.provider,
    user: call.user === null ? null : cut(call.user, TEXT_BYTES),
    metadata: call.metadata === null ? null : metadataText(call.metadata),
    created_at: call.createdAt,
  };
}

/** The row of a call, under our own id of it. */
export function requestRow(record: UsageRecord, id: string): Insertable<RequestsTable> {
  const usage = withHelp(record.usage);
  return {
    ...callColumns(record),
    id,
    account_id: record.accountId,
    key_id: record.keyId,
    status: record.status,
    outcome: record.outcome,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cache_write_1h_tokens: usage.cacheWrite1hTokens,
    image_input_tokens: usage.imageInputTokens,
    cached_image_input_tokens: usage.cachedImageInputTokens,
    image_output_tokens: usage.imageOutputTokens,
    images: usage.images,
    cost_units: record.cost,
    estimated: record.estimated,
    attempts: JSON.stringify(record.attempts),
    duration_ms: Math.round(record.durationMs),
    first_byte_ms: record.firstByteMs === null ? null : Math.round(record.firstByteMs),
  };
}

const MODEL_BYTES = 512;
const TEXT_BYTES = 8_192;
const MOST_KEYS = 16;

/**
 * JSON of the first 16 keys, in at most 8 kB: where the whole is longer, each entry gets an equal
 * share of it, and what is longer than that is cut.
 */
function metadataText(metadata: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(metadata).slice(0, MOST_KEYS);
  const entries = keys.map((key): [string, unknown] => [key, metadata[key]]);
  const whole = jsonOf(Object.fromEntries(entries));
  if (Buffer.byteLength(whole) <= TEXT_BYTES) return whole;
  const share = Math.floor(TEXT_BYTES / entries.length) - PUNCTUATION_BYTES;
  const shortened = entries.map(([key, value]): [string, unknown] => {
    const name = cut(key, share / 2);
    const rest = share - jsonBytes(name);
    if (typeof value === 'string') return [name, cut(value, rest)];
    return [name, jsonBytes(value) <= rest ? value : cut(jsonOf(value), rest)];
  });
  return jsonOf(Object.fromEntries(shortened));
}

/** The longest beginning of a text whose JSON, with an ellipsis at its end, fits in the bytes. */
function cut(text: string, bytes: number): string {
  if (text.length <= bytes / MOST_BYTES_A_UNIT - 1 || jsonBytes(text) <= bytes) return text;
  for (let end = Math.min(text.length, bytes); ;) {
    const beginning = `${text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`;
    const excess = jsonBytes(beginning) - bytes;
    if (excess <= 0) return beginning;
    end -= Math.ceil(excess / MOST_BYTES_A_UNIT);
  }
}

/** Braces, colon and comma. */
const PUNCTUATION_BYTES = 4;
/** The JSON of a control character: `\u0001`. */
const MOST_BYTES_A_UNIT = 6;

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(jsonOf(value));
}

/**
 * JSON of a value. Of what is longer than every limit it is a beginning that is so, too: a caller's
 * megabytes are not gone through for the few kilobytes of them that are kept.
 */
function jsonOf(value: unknown): string {
  let units = 0;
  const kept = (part: unknown): unknown => {
    units += 1;
    if (typeof part === 'string') {
      const text = storable(part.slice(0, LONGEST_LOOK));
      units += text.length;
      return text;
    }
    if (Array.isArray(part)) {
      const elements: unknown[] = [];
      for (const element of part as readonly unknown[]) {
        if (units > TEXT_BYTES) break;
        elements.push(kept(element));
      }
      return elements;
    }
    if (typeof part !== 'object' || part === null) return part;
    const members: [string, unknown][] = [];
    const fields = part as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(fields)) {
      if (units > TEXT_BYTES) break;
      members.push([kept(key) as string, kept(fields[key])]);
    }
    return Object.fromEntries(members);
  };
  return JSON.stringify(kept(value));
}

/** In UTF-16 units; some of them may be left out. */
const LONGEST_LOOK = 4 * TEXT_BYTES;
