/** Looks at parsed JSON of which nothing is certain. */

import { REQUEST_BOUNDS } from './bounds.js';
import { excess } from './excess.js';
import { type Member } from './scan.js';

/** The fields of an object; nothing is known of their values. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether the value is an object, and no list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of the object that the value is; none for any other value. */
export function membersOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The list that the value is; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a list holds what another one holds, and not only the like, in the same order. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/** The text that the value is; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether the value is a text with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The text that the value is; undefined for the empty text and for any other value. */
export function someText(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

/** The fields that say something: neither undefined nor null. */
export function present(fields: Fields): Record<string, unknown> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept);
}

/** The object, unless it has no members. */
export function someMembers(fields: object): object | undefined {
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** What a JSON text says; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a member of a JSON text says; undefined where there is none, or it is broken. */
export function parsedMember(text: Buffer, member: Member | undefined): unknown {
  return member && parsedJson(text.toString('utf8', member.valueStart, member.end));
}

/** The object that a JSON text holds; undefined for any other text. */
export function parsedObject(text: string): Fields | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/**
 * What a JSON text inside of a body says; undefined where it is none, or has so much in it that it
 * would take longer than a body may.
 */
export function boundedJson(text: string): unknown {
  const mayExceed = text.length > SHORTEST_MEMBER * REQUEST_BOUNDS.members;
  return mayExceed && excess(Buffer.from(text), ANY_DEPTH) ? undefined : parsedJson(text);
}

/** Characters: `"":0,` */
const SHORTEST_MEMBER = 5;
const ANY_DEPTH = { ...REQUEST_BOUNDS, depth: Infinity };
