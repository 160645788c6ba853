import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { workedMs } from '../../../test/support/worked-ms.js';
import { type NeutralBlock, type NeutralTurn } from '../../contract/neutral.js';
import { spelledId } from './anthropic/anthropic-history.js';
import { uniqueCalls } from './unique-calls.js';

const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const user = (...content: object[]) => ({ role: 'user', content }) as NeutralTurn;
const assistant = (...content: object[]) => ({ role: 'assistant', content }) as NeutralTurn;
/** A turn that calls by these ids, and the one that answers. */
const round = (...ids: string[]) => [assistant(...ids.map(use)), user(...ids.map(result))];

const own = (turns: readonly NeutralTurn[]) => uniqueCalls(turns, spelledId);

describe('uniqueCalls', () => {
  it('gives a later call by a taken id one of its own, and its results too', () => {
    const turns = [...round('call_0', 'call_1'), ...round('call_0'), ...round('call_0', 'call_1')];
    expect(own(turns)).toEqual([
      ...round('call_0', 'call_1'),
      ...round('call_0_2'),
      ...round('call_0_3', 'call_1_2'),
    ]);
  });

  it('gives none that another call has, and none of more than 64 characters', () => {
    const long = 'x'.repeat(64);
    const turns = [
      ...round('a', 'b_2', long),
      ...round('a', 'b', long),
      ...round('b'),
      ...round('a_2'),
    ];
    expect(own(turns)).toEqual([
      ...round('a', 'b_2', long),
      ...round('a_2', 'b', `${'x'.repeat(56)}_2`),
      ...round('b_3'),
      ...round('a_2_2'),
    ]);
  });

  it('tells calls by one id in one turn apart, and gives them their results in their order', () => {
    const more = { ...result('f'), content: 'more' };
    const turns = [
      assistant(use('f'), use('f')),
      assistant(use('f')),
      user(result('f'), result('f')),
      user(result('f'), more),
      ...round('f', 'f'),
    ];
    expect(own(turns)).toEqual([
      assistant(use('f'), use('f_2')),
      assistant(use('f_3')),
      user(result('f'), result('f_2')),
      user(result('f_3'), { ...more, tool_use_id: 'f_3' }),
      ...round('f_4', 'f_5'),
    ]);
  });

  it('gives no call the result of an earlier one that went without', () => {
    const turns = [assistant(use('a')), user({ type: 'text', text: 'Wait' }), ...round('a')];
    expect(own(turns)).toEqual([...turns.slice(0, 2), ...round('a_2')]);
  });

  it('spells ids, empty ones too, and never makes two the same', () => {
    const turns = [...round('', ''), ...round('a:1', 'a.1', 'call'), ...round('a_1', 'a:1')];
    expect(own(turns)).toEqual([
      ...round('call', 'call_2'),
      ...round('a_1', 'a_1_2', 'call_3'),
      ...round('a_1_3', 'a_1_4'),
    ]);
  });

  it('leaves alone what will not be sent, and does not count it', () => {
    const search = { type: 'server_tool_use', id: 'a:1', name: 'web_search', input: {} };
    const turns = [assistant(search, search, use('a_1')), user(result('a_1'))];
    const isLeftOut = ({ type }: NeutralBlock) => type === 'server_tool_use';
    expect(uniqueCalls(turns, spelledId, isLeftOut)).toBe(turns);
  });

  it('never changes what comes first for what follows', () => {
    const id = fc.constantFrom('', 'a', 'a_2', 'a_2_2', 'a:2', 'a.2', 'call', 'b');
    const block = fc.oneof(id.map(use), id.map(result));
    const turn = fc.record({
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.array(block, { maxLength: 4 }),
    });
    const history = fc.array(turn as fc.Arbitrary<NeutralTurn>, { maxLength: 8 });
    fc.assert(
      fc.property(history, history, (first, rest) => {
        const all = own([...first, ...rest]);
        expect(all.slice(0, first.length)).toEqual(own(first));
        const blocks = all.flatMap(({ content }) => content as readonly NeutralBlock[]);
        const ids = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('keeps results with their call where one comes a turn later, and what else a turn says', () => {
    const text = { type: 'text', text: 'Hi' };
    const turns = [
      ...round('a'),
      assistant(text, use('a'), use('b')),
      user(result('b'), text),
      user(result('a')),
    ];
    expect(own(turns)).toEqual([
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
      user(result('unknown')),
      { role: 'assistant', content: [null, 1, { type: 2 }, { type: 'tool_use' }] },
    ] as unknown as NeutralTurn[];
    expect(own(turns)).toBe(turns);
  });

  // Work that grows with the square of the calls is thousands of times as much as for ids that differ.
  it('is about as much work for thousands of calls by one id as for as many by their own', async () => {
    const called = (ids: string[]) => [...ids.flatMap((id) => round(id)), ...round(...ids)];
    const ids = Array.from({ length: 20_000 }, (_, index) => `call_${index}`);
    const usual = await workedMs(() => own(called(ids)));
    const ms = await workedMs(() => own(called(ids.map(() => 'call_0'))));
    expect(ms).toBeLessThan(20 * usual);
  });
});
