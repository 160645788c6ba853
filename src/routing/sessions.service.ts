import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { TimedCache } from '../schedule/timed-cache.js';
import { type RequestContext } from '../contract/caller.js';
import { agentIdOf, sessionIdOf } from '../contract/session-id.js';
import { SharedMemory } from '../shared/shared-memory.service.js';
import { type RequestShape } from './request-shape.js';
import { BEGIN, KEPT_MS, ownerIn, RECALL, REMEMBER } from './session-scripts.js';

/**
 * What a conversation is known by: the id that came with it, else how it begins. Conversations of
 * different accounts are never the same, nor are those of several agents in one session, and under an
 * agent's id those with tools are another one than what it asks without, such as a title. Undefined for a
 * request that begins with nothing.
 */
export function sessionKey(
  { caller, ...context }: Pick<RequestContext, 'caller' | 'headers'>,
  body: object,
  { opening, needs }: Pick<RequestShape, 'opening' | 'needs'>,
): string | undefined {
  const named = sessionIdOf(context, body);
  if (named === undefined && opening.every((part) => part === undefined)) return undefined;
  const hash = createHash('sha256').update(caller.accountId);
  // What is played must not decide for what is real.
  if (caller.keyType === 'sandbox') hash.update('\nsandbox');
  const agent = agentIdOf(context, body);
  if (named !== undefined && agent) hash.update('\nagent\n').update(agent);
  if (named !== undefined) hash.update(needs.has('tools') ? '\nid\n' : '\nbare\n').update(named);
  else for (const part of opening) hash.update('\nopening\n').update(beginningOf(part));
  const owner = createHash('sha256').update(caller.accountId).digest('base64url');
  return `${owner.slice(0, 16)}.${hash.digest('base64url')}`;
}

/** Long openings that begin alike are of one application, and may share a model. */
const MOST_CHARACTERS = 16_384;

/**
 * What a part of the opening says, however it is written: clients send one text as a string or as a
 * block, and move the marks for a cache while a conversation grows.
 */
function beginningOf(part: unknown): string {
  let left = MOST_CHARACTERS;
  const pieces: string[] = [];
  const add = (piece: string): void => {
    pieces.push(piece.slice(0, left));
    left -= piece.length + 1;
  };
  const visit = (value: unknown): void => {
    if (left <= 0) return;
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) visitFields(value);
    else add(String(value));
  };
  /** Of a picture's bytes so much that another picture is another one, and words have room behind it. */
  const visitField = (value: unknown): void => {
    if (typeof value === 'string' && value.length > MOST_OF_FIELD) add(sample(value));
    else visit(value);
  };
  const visitFields = (fields: { readonly content?: unknown; readonly text?: unknown }): void => {
    // A turn or a block of text.
    if (fields.content !== undefined || typeof fields.text === 'string') {
      visit(fields.content ?? fields.text);
      return;
    }
    for (const name of firstNames(fields).sort()) {
      if (name === 'cache_control') continue;
      if (left > 0) add(name);
      visitField((fields as Readonly<Record<string, unknown>>)[name]);
    }
  };
  visit(part);
  return pieces.join('\n');
}

const MOST_OF_FIELD = 1_024;
const SAMPLES = 4;

/** The length of a long text, and pieces from all over it. */
function sample(text: string): string {
  const length = MOST_OF_FIELD / SAMPLES;
  const starts = Array.from({ length: SAMPLES }, (_, index) =>
    Math.floor((index * (text.length - length)) / (SAMPLES - 1)),
  );
  return [text.length, ...starts.map((start) => text.slice(start, start + length))].join('\n');
}

/** Nothing real has more, and sorting them must not take long. */
const MOST_NAMES = 1_000;

function firstNames(fields: object): string[] {
  const names: string[] = [];
  for (const name in fields) if (names.push(name) === MOST_NAMES) break;
  return names;
}

/**
 * Remembers which model a conversation is with: in this process and, where it is one of several, in
 * what they share. A conversation is forgotten an hour after its last answer.
 */
@Injectable()
export class Sessions {
  private readonly own = new TimedCache<string>({ size: 20_000, ms: KEPT_MS, ownerOf: ownerIn });

  constructor(private readonly memory: SharedMemory) {}

  /** The model of a conversation; undefined for one that is not known. */
  async modelOf(key: string): Promise<string | undefined> {
    const shared = await this.memory.run(RECALL, [nameOf(key)], []);
    return typeof shared === 'string' ? shared : this.own.get(key);
  }

  /** Remembers the model of a conversation unless one that began alike is known. */
  async begin(key: string, model: string): Promise<void> {
    if (this.own.get(key) === undefined) this.own.set(key, model);
    await this.memory.run(BEGIN, [nameOf(key)], [model, KEPT_MS]);
  }

  async remember(key: string, model: string): Promise<void> {
    this.own.set(key, model);
    await this.memory.run(REMEMBER, [nameOf(key)], [model, KEPT_MS]);
  }
}

function nameOf(key: string): string {
  return `causeway:session:${key}`;
}
