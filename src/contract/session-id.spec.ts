import { describe, expect, it } from '@jest/globals';
import { sessionIdOf } from './session-id.js';

const UUID = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
const sessionOf = (user_id: unknown, headers = {}) =>
  sessionIdOf({ headers }, { metadata: { user_id } });

describe('the session in metadata.user_id', () => {
  it.each([
    [`user_${'a1'.repeat(32)}_account__session_${UUID}`],
    [`user_${'a1'.repeat(32)}_account_${UUID}_session_${UUID}`],
    [JSON.stringify({ device_id: 'd', account_uuid: '', session_id: UUID })],
    [JSON.stringify({ session_id: UUID, device_id: 'd' }, null, 2)],
  ])('is found in %s', (user) => {
    expect(sessionOf(user)).toBe(UUID);
  });

  it('comes after the headers and session_id', () => {
    const user = `user_a_account__session_${UUID}`;
    expect(sessionOf(user, { 'x-claude-code-session-id': 'header' })).toBe('header');
    expect(sessionIdOf({ headers: {} }, { session_id: 'own', metadata: { user_id: user } })).toBe(
      'own',
    );
  });

  it.each([
    ['user-42'],
    ['shop_session_7'],
    ['user_a_account__session_'],
    [`user_a_account__session_${'x'.repeat(129)}`],
    [`{"note":"${'x'.repeat(2_000)}","session_id":"${UUID}"}`],
    ['{"session_id":5}'],
    ['{"session_id":""}'],
    ['{"session_id":"a b"}'],
    [''],
    [42],
    [null],
    [{ session_id: UUID }],
  ])('is not in %j', (user) => {
    expect(sessionOf(user)).toBeUndefined();
  });

  it.each([[null], [undefined], ['text'], [[]]])('is not in metadata that is %j', (metadata) => {
    expect(sessionIdOf({ headers: {} }, { metadata })).toBeUndefined();
  });
});
