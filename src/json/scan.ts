/**
 * Finds where things stand in JSON text without parsing it: what a relay needs to change two fields
 * of a five-megabyte body. Strings are jumped over with the native `indexOf`, and so are arrays of
 * numbers, which makes embeddings and images cheap. Text that does not hold together gives undefined.
 */

import { ANSWER_BOUNDS } from './bounds.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** Looking ahead for the end of an array of numbers costs time by depth, and is given up from here on. */
const DEEPEST_LOOK = 128;

/** A piece of the text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: `start` is at the key's opening quote, `end` behind the value. */
export interface Member extends Span {
  readonly key: string;
  readonly valueStart: number;
}

/** The member of that key; of several the last one, which is the one that `JSON.parse` takes. */
export function memberAt(members: readonly Member[], key: string): Member | undefined {
  return members.findLast((member) => member.key === key);
}

/** The members of the object that begins at or after `from`, duplicates included, in their order. */
export function scanObject(text: Buffer, from = 0): Member[] | undefined {
  const members: Member[] = [];
  return readMembers(text, from, members) === undefined ? undefined : members;
}

/** What `scanObject` finds, by the places where each member begins, has its colon, and ends. */
export function membersAt(
  text: Buffer,
  places: readonly { readonly start: number; readonly colon: number; readonly end: number }[],
): Member[] {
  return places.map(({ start, colon, end }) => {
    const from = skipSpace(text, start);
    const valueStart = skipSpace(text, colon + 1);
    let behind = end;
    while (isSpace(text[behind - 1])) behind--;
    const key = readKey(text, from, stringEnd(text, from) ?? colon);
    return { key, start: from, valueStart, end: behind };
  });
}

/** `scanObject` for an object inside of one that is walked: gives the place behind it. */
export function readMembers(text: Buffer, from: number, members: Member[]): number | undefined {
  return walkObject(text, from, (key, start, valueStart) => {
    const valueEnd = endOfValue(text, valueStart);
    if (valueEnd !== undefined) members.push({ key, start, valueStart, end: valueEnd });
    return valueEnd;
  });
}

/** The elements of the array that begins at or after `from`. */
export function scanArray(text: Buffer, from = 0): Span[] | undefined {
  const elements: Span[] = [];
  const end = walkArray(text, from, (start) => {
    const elementEnd = endOfValue(text, start);
    if (elementEnd !== undefined) elements.push({ start, end: elementEnd });
    return elementEnd;
  });
  return end === undefined ? undefined : elements;
}

/**
 * Passes through the object that begins at or after `from` in one go, also through what is inside it.
 *
 * @param member is told of one member after the other, and says where its value ends, by `endOfValue`
 * or by walking it; undefined gives up.
 * @returns the place behind the object, or undefined when it does not hold together, or has more members
 * than any answer.
 */
export function walkObject(
  text: Buffer,
  from: number,
  member: (key: string, start: number, valueStart: number) => number | undefined,
): number | undefined {
  let at = skipSpace(text, from);
  if (text[at] !== OPEN_BRACE) return undefined;
  at = skipSpace(text, at + 1);
  if (text[at] === CLOSE_BRACE) return at + 1;
  for (let count = 0; count < ANSWER_BOUNDS.members; count++) {
    const keyEnd = stringEnd(text, at);
    if (keyEnd === undefined) return undefined;
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== COLON) return undefined;
    const end = member(readKey(text, at, keyEnd), at, skipSpace(text, colon + 1));
    if (end === undefined) return undefined;
    at = skipSpace(text, end);
    if (text[at] === CLOSE_BRACE) return at + 1;
    if (text[at] !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** `walkObject` for an array. */
export function walkArray(
  text: Buffer,
  from: number,
  element: (start: number) => number | undefined,
): number | undefined {
  let at = skipSpace(text, from);
  if (text[at] !== OPEN_BRACKET) return undefined;
  at = skipSpace(text, at + 1);
  if (text[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    const end = element(at);
    if (end === undefined) return undefined;
    at = skipSpace(text, end);
    if (text[at] === CLOSE_BRACKET) return at + 1;
    if (text[at] !== COMMA) return undefined;
    at = skipSpace(text, at + 1);
  }
}

/** The place behind the value that begins at `from`. */
export function endOfValue(text: Buffer, from: number): number | undefined {
  const first = text[from];
  if (first === QUOTE) return stringEnd(text, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(text, from);
  let at = from;
  while (at < text.length && !endsScalar(text[at])) at++;
  return at > from && at < text.length ? at : undefined;
}

function containerEnd(text: Buffer, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (byte === OPEN_BRACKET && depth < DEEPEST_LOOK && startsNumber(text[at + 1])) {
      const close = numbersEnd(text, at);
      if (close === undefined) depth++;
      else at = close;
      if (depth === 0 && close !== undefined) return close + 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (--depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Where the array of plain numbers at `from` closes; undefined when something else is in it. */
function numbersEnd(text: Buffer, from: number): number | undefined {
  const close = text.indexOf(CLOSE_BRACKET, from);
  if (close < 0) return undefined;
  const inside = text.subarray(from + 1, close);
  return inside.includes(QUOTE) || inside.includes(OPEN_BRACE) || inside.includes(OPEN_BRACKET)
    ? undefined
    : close;
}

function stringEnd(text: Buffer, from: number): number | undefined {
  if (text[from] !== QUOTE) return undefined;
  let at = nextQuote(text, from + 1);
  while (isEscaped(text, at)) at = nextQuote(text, at + 1);
  return at < 0 ? undefined : at + 1;
}

/** The place of the next quote, escaped or not; -1 when there is none. */
export function nextQuote(text: Buffer, from: number): number {
  const far = Math.min(from + NEAR_BYTES, text.length);
  for (let at = from; at < far; at++) if (text[at] === QUOTE) return at;
  return text.indexOf(QUOTE, far);
}

/** Looked at one by one, because calling `indexOf` takes longer. */
const NEAR_BYTES = 32;

/** Whether a backslash takes the meaning of what stands at `at`. */
export function isEscaped(text: Buffer, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

function readKey(text: Buffer, start: number, end: number): string {
  const raw = text.toString('utf8', start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

function skipSpace(text: Buffer, from: number): number {
  let at = from;
  while (isSpace(text[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
}

function startsNumber(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d);
}
