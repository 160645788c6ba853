import { describe, expect, it } from '@jest/globals';
import { workedMs } from '../../../test/support/worked-ms.js';
import { type NeutralBlock, type NeutralRequest } from '../../contract/neutral.js';
import { toolsOnOffer } from './tools-on-offer.js';

const tool = (name: string, more: object = {}) => ({ name, input_schema: {}, ...more });
const reference = (name: string) => ({ type: 'tool_reference', name });
const removed = (name: string) => ({ type: 'tool_removal', tool: reference(name) });
const added = (name: string) => ({ type: 'tool_addition', tool: reference(name) });
const defined = (definition: object) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition },
});
const offered = (tools: NeutralRequest['tools'], changes: object[]) =>
  toolsOnOffer({
    model: 'a/b',
    max_tokens: 1,
    messages: [{ role: 'system', content: changes as NeutralBlock[] }],
    tools,
  }).map(({ block }) => block as object);

describe('the tools on offer', () => {
  const [a, b, c] = [tool('a'), tool('b'), tool('c')];

  it('are those of the request, less what was withdrawn and with what was added, in their order', () => {
    expect(offered([a, b, c], [removed('b'), removed('x')])).toEqual([a, c]);
    expect(offered([a, b], [removed('a'), added('a'), added('b'), added('x')])).toEqual([b, a]);
    expect(offered([a], [defined(c), defined(b)])).toEqual([a, c, b]);
  });

  it('have no arguments where those are null, as Anthropic’s SDKs allow', () => {
    const schema = { type: 'object', properties: { x: { default: null } }, required: ['x'] };
    const none = { type: 'object', properties: null, required: null };
    const [whole, empty] = [tool('a', { input_schema: schema }), tool('b', { input_schema: none })];
    const bare = tool('b', { input_schema: { type: 'object' } });
    expect(offered([whole, empty], [])).toEqual([whole, bare]);
    expect(offered([], [defined(empty)])).toEqual([bare]);
  });

  it('may have one name, by which all of them are withdrawn; those of the request come back', () => {
    const other = tool('a', { description: 'Another one.' });
    expect(offered([a, b], [defined(other)])).toEqual([a, b, other]);
    expect(offered([a, b], [defined(other), removed('a')])).toEqual([b]);
    expect(offered([a, b], [defined(other), removed('a'), added('a')])).toEqual([b, a]);
  });

  it('are about as much work where 40,000 change as where none of those is there', async () => {
    const names = Array.from({ length: 20_000 }, (_none, index) => `t${index}`);
    const changes = [
      ...names.map((name) => defined(tool(`${name}-new`))),
      ...names.toReversed().map(removed),
    ];
    const all = names.map((name) => tool(name));
    const idle = [...names.map(added), ...names.map(removed)];
    // Work that grows with the square of the changes is hundreds of times as much.
    const usual = await workedMs(() => offered([], idle));
    let left: object[] = [];
    const ms = await workedMs(() => (left = offered(all, changes)));
    expect(left).toHaveLength(names.length);
    expect(ms).toBeLessThan(20 * usual);
  });

  it('are about as much work where 20,000 of one name come and go 10,000 times', async () => {
    const all = Array<object>(20_000).fill(tool('a'));
    const flips = Array.from({ length: 10_000 }, (_none, at) => (at % 2 ? added : removed)('a'));
    const idle = flips.map((_flip, at) => (at % 2 ? added : removed)('b'));
    const usual = await workedMs(() => offered(all as NeutralBlock[], idle));
    let left: object[] = [];
    const ms = await workedMs(() => (left = offered(all as NeutralBlock[], flips)));
    expect(left).toHaveLength(all.length);
    expect(ms).toBeLessThan(20 * usual);
  });
});
