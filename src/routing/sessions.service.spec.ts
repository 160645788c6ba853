import { describe, expect, it } from '@jest/globals';
import { Primary } from '../cluster/primary.service.js';
import { readConfig } from '../config/read-config.js';
import { type Caller } from '../contract/caller.js';
import { Redis } from '../redis/redis.service.js';
import { SharedMemory } from '../shared/shared-memory.service.js';
import { shapeOf } from './request-shape.js';
import { sessionKey, Sessions } from './sessions.service.js';

const caller = { accountId: 'a', keyType: 'live' } as unknown as Caller;
const keyOf = (body: object) => sessionKey({ caller, headers: {} }, body, shapeOf(body));
const text = 'What is the capital of France?';
const marked = [{ type: 'text', text, cache_control: { type: 'ephemeral' } }];
/** A picture that is larger than what is looked at. */
const picture = (end = '') => ({ type: 'image', source: { data: 'A'.repeat(99_000) + end } });
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('sessionKey', () => {
  it.each([
    ['a text and a marked block', user(text), user(marked)],
    ['fields in another order', user(text), { messages: [{ content: text, role: 'user' }] }],
    [
      'a text and an item of Responses',
      { input: text },
      { input: [{ type: 'message', ...user(text).messages[0] }] },
    ],
    [
      'a text and a typed part of Responses',
      { input: text },
      { input: [{ role: 'user', content: [{ type: 'input_text', text }] }] },
    ],
    [
      'a system prompt and a marked one',
      { ...user('a'), system: text },
      { ...user('a'), system: marked },
    ],
    [
      'another question later',
      user(text),
      { messages: [...user(text).messages, ...user('b').messages] },
    ],
  ])('is the same for %s', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it('tells what an agent asks without tools from what it does with them, under one id', () => {
    const named = { session_id: 's', ...user('a') };
    const tools = [{ name: 't' }];
    const later = [...named.messages, { role: 'user', content: [{ type: 'tool_result' }] }];
    expect(keyOf({ ...named, tools })).not.toBe(keyOf(named));
    expect(keyOf({ ...named, ...user('b') })).toBe(keyOf(named));
    // Also when it offers none for once.
    expect(keyOf({ ...named, messages: later })).toBe(keyOf({ ...named, tools }));
  });

  it('tells the agents of one session apart, but where the caller names a conversation itself', () => {
    const of = (headers: Record<string, string>, body: object = user(text)) =>
      sessionKey({ caller, headers }, body, shapeOf(body));
    const session = { 'x-claude-code-session-id': 's' };
    const agent = { ...session, 'x-claude-code-agent-id': 'one' };
    expect(of(agent)).not.toBe(of(session));
    expect(of(agent)).not.toBe(of({ ...agent, 'x-claude-code-agent-id': 'two' }));
    expect(of(agent, user('b'))).toBe(of(agent));
    const named = { session_id: 's', ...user(text) };
    expect(of(agent, named)).toBe(of({}, named));
  });

  it.each([
    ['another text', user(text), user('What?')],
    ['another system prompt', { ...user(text), system: 'a' }, { ...user(text), system: 'b' }],
    [
      'another picture',
      user([{ type: 'image', source: { data: 'a' } }]),
      user([{ type: 'image', source: { data: 'b' } }]),
    ],
    [
      'another text behind a picture',
      user([picture(), { type: 'text', text }]),
      user([picture(), { type: 'text', text: 'What?' }]),
    ],
    ['another large picture', user([picture()]), user([picture('B')])],
    ['a text that moves from the system prompt', { ...user('b'), system: 'a' }, user('a')],
  ])('is another one for %s', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });
});

describe('Sessions', () => {
  it('forgets no conversation because another account has very many', async () => {
    const alone = new SharedMemory(new Redis(readConfig({})), new Primary(undefined));
    const sessions = new Sessions(alone);
    const keyOfAccount = (accountId: string, id: string): string => {
      const body = { ...user(text), session_id: id };
      const key = sessionKey(
        { caller: { ...caller, accountId }, headers: {} },
        body,
        shapeOf(body),
      );
      return key ?? '';
    };
    const quiet = keyOfAccount('quiet', 'one');
    await sessions.remember(quiet, 'a/model');
    for (let count = 0; count < 20_100; count += 1) {
      await sessions.remember(keyOfAccount('busy', `${count}`), 'b/model');
    }
    expect(await sessions.modelOf(quiet)).toBe('a/model');
    expect(await sessions.modelOf(keyOfAccount('busy', '0'))).toBeUndefined();
    expect(await sessions.modelOf(keyOfAccount('busy', '20099'))).toBe('b/model');
  });
});
