import { describe, expect, it } from '@jest/globals';
import { type Target } from '../providers/provider.js';
import { CONVERSATIONS } from './choice.js';
import { runningHosted } from './hosted-tools.js';

const target = (id: string, dialect: object) =>
  ({
    model: { id },
    connection: { provider: { endpoints: { messages: [dialect] } } },
  }) as unknown as Target;
const targets = [
  target('relayed', { format: 'responses', relay: {}, codec: {} }),
  target('translated', { format: 'anthropic', relay: {}, codec: {} }),
];
const leftFor = (body: object, need: keyof typeof CONVERSATIONS = 'responses') => {
  const choice = { model: '@router', ...body };
  return runningHosted({ targets, dropped: [] }, CONVERSATIONS[need], choice);
};
const search = { type: 'web_search' };
const own = { type: 'function', name: 'f' };
const allowing = (tools: object[], mode = 'auto') => ({
  tool_choice: { type: 'allowed_tools', mode, tools },
});

describe('hosted tools', () => {
  it.each([
    { tools: [search] },
    { tools: [{ type: 'web_search_preview_2025_03_11' }] },
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }, { type: 'code_interpreter' }] },
    { tools: [{ type: 'mcp', server_label: 'a' }], tool_choice: 'required' },
    { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    { tools: [own, search], tool_choice: { type: 'web_search' } },
    { tools: [own, search], ...allowing([search]) },
  ])('are needed of the model, which is relayed to, in %j', (body) => {
    const { targets: left, dropped } = leftFor({ input: 'a', ...body });
    expect(left).toEqual([targets[0]]);
    expect(dropped).toEqual([{ model: 'translated', reason: 'hosted_tools' }]);
  });

  it.each([
    {},
    { tools: [] },
    { tools: null },
    { tools: [own, search] },
    { tools: [search, { type: 'custom', name: 'c' }] },
    { tools: [search, { type: 'shell' }] },
    { tools: [search, { type: 'namespace', name: 'n', tools: [own] }] },
    { tools: [search], tool_choice: 'none' },
    { tools: [search], input: [{ type: 'additional_tools', tools: [own] }] },
    { tools: [own, search], ...allowing([own, search]) },
    { tools: [own, search], tool_choice: { type: 'function', name: 'f' } },
    {
      tools: [own, { type: 'tool_search', execution: 'client' }],
      ...allowing([{ type: 'tool_search' }]),
    },
  ])('are no need where others are on offer, or none: %j', (body) => {
    expect(leftFor({ input: 'a', ...body })).toEqual({ targets, dropped: [] });
  });

  it('are known in responses only', () => {
    expect(leftFor({ messages: [], tools: [search] }, 'chat').targets).toEqual(targets);
  });
});
