import { type Member, scanObject } from './scan.js';
import { type Fields } from './values.js';

/** What `scanObject` finds. */
export type Members = readonly Member[];

/**
 * Changes to the top level of a JSON object: the new value as JSON text, or undefined to take the
 * member out. A key that is not there yet is added at the end.
 */
export type Edits = ReadonlyMap<string, string | undefined>;

/** The edits that give a parsed object these members, undefined for one to take out; what is the same stays. */
export function editsOfChanged(wanted: Fields, object: Fields): Edits {
  const changed = Object.entries(wanted).filter(([key, value]) => value !== object[key]);
  return new Map(changed.map(([key, value]) => [key, JSON.stringify(value)]));
}

/** Edits whose new values may be pieces of a large text that is not worth copying. */
export type Splices = ReadonlyMap<string, string | readonly Buffer[] | undefined>;

/**
 * The same object with the edits in it. Every other byte is the caller's own, so big integers, key
 * order and odd keys survive; of a key that is there twice, only the last one (the one that a
 * parser sees) is kept.
 *
 * @returns the pieces in order, or undefined when `text` is not one whole JSON object.
 */
export function spliceObject(text: Buffer, edits: Splices): Buffer[] | undefined {
  const members = known.get(text) ?? scanObject(text);
  return members && spliceMembers(text, members, edits);
}

const known = new WeakMap<Buffer, Members>();

/** Lets `spliceObject` know what a large text has, so that it is not scanned again. */
export function keepMembers(text: Buffer, members: Members): void {
  known.set(text, members);
}

/** `spliceObject` for an object whose members are known already; other bytes of `text` are left out. */
export function spliceMembers(text: Buffer, members: Members, edits: Splices): Buffer[] {
  const last = new Map(members.map((member, index) => [member.key, index]));
  const pieces: Buffer[] = [];
  const begin = (): void => {
    pieces.push(pieces.length === 0 ? OPEN : COMMA);
  };
  // Neighbours that stay as they are go out as one slice, with the caller's own commas.
  let run: { start: number; end: number } | undefined;
  const flush = (): void => {
    if (!run) return;
    begin();
    pieces.push(text.subarray(run.start, run.end));
    run = undefined;
  };
  members.forEach((member, index) => {
    if (last.get(member.key) === index && !edits.has(member.key)) {
      run = { start: run?.start ?? member.start, end: member.end };
      return;
    }
    flush();
    const value = last.get(member.key) === index ? edits.get(member.key) : undefined;
    if (value === undefined) return;
    begin();
    pieces.push(text.subarray(member.start, member.valueStart), ...toPieces(value));
  });
  flush();
  for (const [key, value] of edits) {
    if (value === undefined || last.has(key)) continue;
    begin();
    pieces.push(Buffer.from(`${JSON.stringify(key)}:`), ...toPieces(value));
  }
  if (pieces.length === 0) pieces.push(OPEN);
  pieces.push(CLOSE);
  return pieces;
}

/** The text of an object that has members, in pieces, with further ones behind them. */
export function appendMembers(pieces: readonly Buffer[], added: Splices): Buffer[] {
  const [last] = pieces.slice(-1);
  const open = last ? [...pieces.slice(0, -1), last.subarray(0, -CLOSE.length)] : [OPEN];
  for (const [key, value] of added) {
    if (value === undefined) continue;
    open.push(Buffer.from(`,${JSON.stringify(key)}:`), ...toPieces(value));
  }
  return [...open, CLOSE];
}

/**
 * The same object with the edits made one level down, in the object that is its member `key`; a
 * member that is missing or no object becomes one that holds the edits only.
 */
export function spliceInside(text: Buffer, key: string, edits: Splices): Buffer[] | undefined {
  const members = scanObject(text);
  if (!members) return undefined;
  const member = members.findLast((candidate) => candidate.key === key);
  const inner = member && scanObject(text, member.valueStart);
  const value = inner ? spliceMembers(text, inner, edits) : spliceMembers(text, [], edits);
  return spliceMembers(text, members, new Map([[key, value]]));
}

const OPEN = Buffer.from('{');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from('}');

function toPieces(value: string | readonly Buffer[]): readonly Buffer[] {
  return typeof value === 'string' ? [Buffer.from(value)] : value;
}
