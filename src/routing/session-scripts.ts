import { TimedCache } from '../schedule/timed-cache.js';
import { type Script } from '../redis/connection.js';
import { type InMemory } from '../shared/in-memory.js';

/** A conversation is forgotten an hour after its last answer. */
export const KEPT_MS = 3_600_000;

/** Whose a conversation is: what its name, or its key, begins with. */
export function ownerIn(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** The model of a conversation, which is forgotten no later for being asked for. */
export const RECALL: Script = {
  name: 'causewayRecallSession',
  lua: `return redis.call('GET', KEYS[1])`,
};

/** Keeps the model of a conversation for another while. */
export const REMEMBER: Script = {
  name: 'causewayRememberSession',
  lua: `return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`,
};

/** Keeps the model of a conversation unless it has one. */
export const BEGIN: Script = {
  name: 'causewayBeginSession',
  lua: `return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')`,
};

/** What the primary does in place of Redis. */
export function sessionScripts(now?: () => number): Iterable<readonly [Script, InMemory]> {
  const models = new TimedCache<string>({ size: 100_000, ms: KEPT_MS, ownerOf: ownerIn }, now);
  const recall: InMemory = ([key = '']) => models.get(key);
  const remember: InMemory = ([key = ''], [model]) => {
    models.set(key, String(model));
  };
  const begin: InMemory = ([key = ''], [model]) => {
    if (models.get(key) === undefined) models.set(key, String(model));
  };
  return [
    [RECALL, recall],
    [REMEMBER, remember],
    [BEGIN, begin],
  ];
}
