import { describe, expect, it } from '@jest/globals';
import { workedMs } from '../../../test/support/worked-ms.js';
import { type NeutralTurn } from '../../contract/neutral.js';
import { uniqueCalls } from './unique-calls.js';

const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const user = (...content: object[]) => ({ role: 'user', content }) as NeutralTurn;
const assistant = (...content: object[]) => ({ role: 'assistant', content }) as NeutralTurn;
/** A turn that calls by these ids, and the one that answers. */
const round = (...ids: string[]) => [assistant(...ids.map(use)), user(...ids.map(result))];

describe('uniqueCalls', () => {
  it('gives a later call by a taken id one of its own, and its results too', () => {
    const turns = [...round('call_0', 'call_1'), ...round('call_0'), ...round('call_0', 'call_1')];
    expect(uniqueCalls(turns)).toEqual([
      ...round('call_0', 'call_1'),
      ...round('call_0_2'),
      ...round('call_0_3', 'call_1_2'),
    ]);
  });

  it('takes none that another call has, later ones included, and none of more than 64 characters', () => {
    const long = 'x'.repeat(64);
    const turns = [...round('a', long), ...round('a', long), ...round('a_2')];
    const own = uniqueCalls(turns);
    expect(own).toEqual([
      ...round('a', long),
      ...round('a_3', `${'x'.repeat(56)}_2`),
      ...round('a_2'),
    ]);
  });

  it('keeps results with their call where one comes a turn later, and what else a turn says', () => {
    const text = { type: 'text', text: 'Hi' };
    const turns = [
      ...round('a'),
      assistant(text, use('a'), use('b')),
      user(result('b'), text),
      user(result('a')),
    ];
    expect(uniqueCalls(turns)).toEqual([
      ...round('a'),
      assistant(text, use('a_2'), use('b')),
      user(result('b'), text),
      user(result('a_2')),
    ]);
  });

  it('leaves alone what nobody else calls so', () => {
    const turns = [
      { role: 'user', content: 'Hi' },
      ...round('a', 'b'),
      ...round('c'),
      assistant(use('d'), use('d')),
      user(result('unknown')),
      { role: 'assistant', content: [null, 1, { type: 2 }, { type: 'tool_use' }] },
    ] as unknown as NeutralTurn[];
    expect(uniqueCalls(turns)).toBe(turns);
  });

  it('takes no longer for thousands of them', async () => {
    const turns = Array.from({ length: 20_000 }, () => round('call_0')).flat();
    expect(await workedMs(() => uniqueCalls(turns))).toBeLessThan(1_000);
  });
});
