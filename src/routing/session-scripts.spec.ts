import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Script } from '../redis/connection.js';
import { BEGIN, KEPT_MS, RECALL, REMEMBER, sessionScripts } from './session-scripts.js';

describe('what the primary remembers of conversations', () => {
  let now = 0;
  let scripts: ReadonlyMap<Script, (...args: any[]) => unknown>;
  const model = () => scripts.get(RECALL)?.(['a'], []);
  const remember = (served: string) => scripts.get(REMEMBER)?.(['a'], [served, KEPT_MS]);
  const begin = (served: string) => scripts.get(BEGIN)?.(['a'], [served, KEPT_MS]);
  beforeEach(() => {
    now = 0;
    scripts = new Map(sessionScripts(() => now));
  });

  it('is kept for as long again with each answer, and not for being asked', () => {
    remember('one');
    now = KEPT_MS - 1;
    remember('one');
    now += KEPT_MS - 1;
    expect(model()).toBe('one');
    now += 1;
    expect(model()).toBeUndefined();
  });

  it('is not another model because another conversation begins alike', () => {
    begin('one');
    now = KEPT_MS - 2;
    begin('other');
    expect(model()).toBe('one');
    // Nor is it kept for longer.
    now = KEPT_MS;
    expect(model()).toBeUndefined();
    begin('other');
    expect(model()).toBe('other');
  });
});
