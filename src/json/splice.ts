import { type Member, scanObject } from './scan.js';

/**
 * Changes to the top level of a JSON object: the new value as JSON text, or undefined to take the
 * member out. A key that is not there yet is added at the end.
 */
export type Edits = ReadonlyMap<string, string | undefined>;

/**
 * The same object with the edits in it. Every other byte is the caller's own, so big integers, key
 * order and odd keys survive; of a key that is there twice, only the last one (the one that a
 * parser sees) is kept.
 *
 * @returns the pieces in order, or undefined when `text` is not one whole JSON object.
 */
export function spliceObject(text: Buffer, edits: Edits): Buffer[] | undefined {
  const members = scanObject(text);
  return members && spliceMembers(text, members, edits);
}

/** `spliceObject` for an object whose members are known already. */
export function spliceMembers(text: Buffer, members: readonly Member[], edits: Edits): Buffer[] {
  const last = new Map<string, number>();
  members.forEach((member, index) => last.set(member.key, index));
  const pieces: Buffer[] = [];
  const missing = new Map(edits);
  let separator = '{';
  const add = (piece: Buffer | string): void => {
    pieces.push(Buffer.from(separator), typeof piece === 'string' ? Buffer.from(piece) : piece);
    separator = ',';
  };
  let runStart: number | undefined;
  let runEnd = 0;
  const flush = (): void => {
    if (runStart !== undefined) add(text.subarray(runStart, runEnd));
    runStart = undefined;
  };
  members.forEach((member, index) => {
    if (last.get(member.key) !== index) {
      flush();
      return;
    }
    if (!edits.has(member.key)) {
      runStart ??= member.start;
      runEnd = member.end;
      return;
    }
    flush();
    missing.delete(member.key);
    const value = edits.get(member.key);
    if (value === undefined) return;
    pieces.push(Buffer.from(separator), text.subarray(member.start, member.valueStart));
    pieces.push(Buffer.from(value));
    separator = ',';
  });
  flush();
  for (const [key, value] of missing) {
    if (value !== undefined) add(`${JSON.stringify(key)}:${value}`);
  }
  pieces.push(Buffer.from(separator === '{' ? '{}' : '}'));
  return pieces;
}
