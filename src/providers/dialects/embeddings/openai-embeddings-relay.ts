import { type EmbeddingsRequest } from '../../../contract/embeddings.js';
import { NO_USAGE, type Usage } from '../../../contract/usage.js';
import { endOfValue, type Member, walkArray, walkObject } from '../../../json/scan.js';
import { membersOf, parsedMember } from '../../../json/values.js';
import { type Relay, type RelayedReply } from '../../provider.js';
import { areTokens, inputsOf, isOneBatch } from './embeddings-inputs.js';
import { isCutHere } from './embeddings-vectors.js';
import { commasIn, numbersEnd } from './numbers-end.js';
import { type EmbeddingsQuirks, fieldChanges, OPENAI_LIMITS } from './openai-embeddings-quirks.js';
import { embeddingsTokens } from './openai-embeddings-usage.js';
import { errorIn } from '../provider-error.js';
import { isSound, soundUsage } from '../sound-usage.js';

/** Requests that fit one call, and answers that are what was asked for, passed through unparsed. */
export function openaiEmbeddingsRelay(quirks: EmbeddingsQuirks): Relay {
  return {
    fits({ model, body }) {
      const request = body as unknown as EmbeddingsRequest;
      if (quirks.textOnly && areTokens(request.input)) return false;
      if (isCutHere(model, request)) return false;
      return isOneBatch(request, model, quirks.limits ?? OPENAI_LIMITS);
    },

    request({ model, body }) {
      const changes = [...fieldChanges(body, model, quirks)];
      const edits = new Map(
        changes.map(([name, value]) => [
          name,
          value === undefined ? undefined : JSON.stringify(value),
        ]),
      );
      return { path: '/embeddings', headers: {}, edits };
    },

    reply(bytes, { model, body }): RelayedReply | undefined {
      const request = body as unknown as EmbeddingsRequest;
      const wanted = request.encoding_format === 'base64' ? QUOTE : OPEN_BRACKET;
      const { members, whole } = scanReply(bytes, inputsOf(request).length, wanted);
      const find = (key: string) => members?.findLast((member) => member.key === key);
      if (!members || !find('data')) return errorReply(bytes, find('error'));
      if (!whole) return undefined;
      const { usage, told } = usageIn(parsedMember(bytes, find('usage')));
      const splices = new Map([
        ['object', '"list"'],
        ['model', JSON.stringify(model.id)],
        ...(told === undefined ? [] : [['usage', told] as const]),
      ]);
      return { usage, splices, members, outputBytes: 0, ...(!usage && { usageOf }) };
    },
  };
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const EQUALS = 0x3d;

interface ScannedReply {
  readonly members: readonly Member[] | undefined;
  /** One vector an input, in their order, of one length, in the encoding asked for, and all numbers. */
  readonly whole: boolean;
}

/** Finds all that has to be known of a reply in one pass over its bytes. */
function scanReply(bytes: Buffer, count: number, wanted: number): ScannedReply {
  const members: Member[] = [];
  let whole = false;
  const end = walkObject(bytes, 0, (key, start, valueStart) => {
    const items = key === 'data' ? itemsEnd(bytes, valueStart, count, wanted) : undefined;
    if (key === 'data') whole = items !== undefined;
    const valueEnd = items ?? endOfValue(bytes, valueStart);
    if (valueEnd !== undefined) members.push({ key, start, valueStart, end: valueEnd });
    return valueEnd;
  });
  return { members: end === undefined ? undefined : members, whole };
}

/** Where `data` ends; undefined when it is not what can be passed on. */
function itemsEnd(bytes: Buffer, from: number, count: number, wanted: number): number | undefined {
  let position = 0;
  let length: number | undefined;
  const end = walkArray(bytes, from, (start) => {
    const seen = { index: NaN, isNamed: false, vectors: 0 };
    const itemEnd = walkObject(bytes, start, (key, _start, valueStart) => {
      if (key === 'embedding') {
        seen.vectors += 1;
        if (bytes[valueStart] !== wanted) return undefined;
        const isText = wanted === QUOTE;
        const vectorEnd = (isText ? floatsEnd : numbersEnd)(bytes, valueStart);
        if (vectorEnd === undefined || count === 1) return vectorEnd;
        const size = isText ? vectorEnd - valueStart : commasIn(bytes, valueStart, vectorEnd);
        length ??= size;
        return size === length ? vectorEnd : undefined;
      }
      const valueEnd = endOfValue(bytes, valueStart);
      if (key === 'object') seen.isNamed = true;
      if (key === 'index') seen.index = Number(bytes.toString('latin1', valueStart, valueEnd));
      return valueEnd;
    });
    return seen.isNamed && seen.vectors === 1 && seen.index === position++ ? itemEnd : undefined;
  });
  return position === count ? end : undefined;
}

/** Where the base64 at `from` ends, if it holds whole float32s, and each of them is a number. */
function floatsEnd(bytes: Buffer, from: number): number | undefined {
  const end = endOfValue(bytes, from);
  if (end === undefined) return undefined;
  const padding = bytes[end - 2] !== EQUALS ? 0 : bytes[end - 3] !== EQUALS ? 1 : 2;
  const decoded = ((end - from - 2) / 4) * 3 - padding;
  const isWhole = decoded > 0 && decoded % 4 === 0;
  return isWhole && areFinite(bytes.toString('latin1', from + 1, end - 1), decoded)
    ? end
    : undefined;
}

/** Decoded into the same bytes again and again: there may be thousands of vectors in a reply. */
let floats = Buffer.alloc(0);

/** Whether none of the little-endian float32s has an exponent of ones alone: NaN has, and infinity. */
function areFinite(base64: string, length: number): boolean {
  if (floats.length < length) floats = Buffer.alloc(length);
  if (floats.write(base64, 'base64') !== length) return false;
  for (let at = 3; at < length; at += 4) {
    if (((floats[at] ?? 0) & 0x7f) === 0x7f && (floats[at - 1] ?? 0) >= 0x80) return false;
  }
  return true;
}

/** The usage, and as JSON text what to say in its place where a count is missing or none. */
function usageIn(wire: unknown): { usage: Usage | undefined; told: string | undefined } {
  const said = membersOf(wire);
  const tokens = embeddingsTokens(said);
  if (!tokens) return { usage: undefined, told: undefined };
  const { prompt, total } = tokens;
  const isComplete = prompt === said.prompt_tokens && total !== undefined && isSound(said);
  const whole = { ...soundUsage(said), prompt_tokens: prompt, total_tokens: total ?? prompt };
  return {
    usage: { ...NO_USAGE, inputTokens: prompt },
    told: isComplete ? undefined : JSON.stringify(whole),
  };
}

function usageOf({ inputTokens }: Usage): object {
  return { prompt_tokens: inputTokens, total_tokens: inputTokens };
}

function errorReply(bytes: Buffer, error: Member | undefined): RelayedReply | undefined {
  const said = error && errorIn({ error: parsedMember(bytes, error) });
  return said && { usage: undefined, splices: new Map(), outputBytes: 0, error: said };
}
