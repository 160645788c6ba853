import { describe, expect, it } from '@jest/globals';
import { type Model } from '../../../contract/model.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { type ServerEvent } from '../../provider.js';
import { callersCalls, callersEvents, spelledForClaude } from './claude-spelling.js';
import { wireToolName } from '../wire-names.js';

const model = { id: 'anthropic/claude-a', name: 'claude-a', provider: 'anthropic' } as Model;
const other = { id: 'mine/glm', name: 'glm', provider: 'mine' } as Model;
const [LIST, FILTER] = [wireToolName('graph.list'), wireToolName('$filter')];
const input_schema = {
  type: 'object',
  properties: { $filter: { type: 'string' }, 'a.b': {} },
  required: ['$filter', 'a.b'],
};
const input = { $filter: 'x', 'a.b': { $filter: 1 } };
const sent = { [FILTER]: 'x', 'a.b': { $filter: 1 } };
const use = (name: string, given: unknown) => ({ type: 'tool_use', id: 't', name, input: given });
const plain = { name: 'plain', input_schema: { type: 'object' } };
const request: NeutralRequest = {
  model: 'openai/gpt-5',
  tools: [{ name: 'graph.list', input_schema }, plain],
  tool_choice: { type: 'tool', name: 'graph.list' },
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [use('graph.list', input), use('plain', { $filter: 1 })] },
  ],
};
const call = { request, model };

/** The deltas and the other events of an answer that calls a tool. */
async function told(name: string, ...pieces: readonly string[]): Promise<unknown[]> {
  const event = (data: object): ServerEvent => ({ name: 'x', data: JSON.stringify(data) });
  async function* events(): AsyncGenerator<ServerEvent> {
    yield event({ type: 'content_block_start', index: 1, content_block: use(name, {}) });
    for (const partial_json of pieces) {
      yield event({ type: 'content_block_delta', index: 1, delta: { partial_json } });
    }
    yield event({ type: 'content_block_stop', index: 1 });
    yield await Promise.resolve(event({ type: 'message_stop' }));
  }
  const all: unknown[] = [];
  for await (const { data } of callersEvents(events(), call)) all.push(JSON.parse(data));
  return all;
}

describe('names of tools that Claude refuses', () => {
  it('are others in the request, the same in each', () => {
    expect(spelledForClaude(call)).toEqual({
      ...request,
      tools: [
        {
          name: LIST,
          input_schema: {
            ...input_schema,
            properties: { [FILTER]: { type: 'string' }, 'a.b': {} },
            required: [FILTER, 'a.b'],
          },
        },
        plain,
      ],
      tool_choice: { type: 'tool', name: LIST },
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [use(LIST, sent), use('plain', { $filter: 1 })] },
      ],
    });
  });

  it('are the caller’s own in the answer', () => {
    const text = { type: 'text', text: FILTER };
    const content = [text, use(LIST, sent), use('plain', sent)];
    expect(callersCalls(content, call)).toEqual([
      text,
      use('graph.list', input),
      use('plain', sent),
    ]);
  });

  it('are the caller’s own in a stream, whose arguments are said when they are whole', async () => {
    const json = `{"${FILTER}" : "\\"${FILTER}\\":", "a.b": 12345678901234567890`;
    expect(await told(LIST, json.slice(0, 5), json.slice(5))).toEqual([
      { type: 'content_block_start', index: 1, content_block: use('graph.list', {}) },
      {
        type: 'content_block_delta',
        index: 1,
        delta: {
          type: 'input_json_delta',
          partial_json: `{"$filter" : "\\"${FILTER}\\":", "a.b": 12345678901234567890`,
        },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_stop' },
    ]);
  });

  it('leave all other calls of a stream as they come', async () => {
    expect(await told('plain', '{"a"', ':1}')).toHaveLength(5);
  });

  it.each([
    [{ ...request, tools: [plain] }, model],
    [{ ...request, tools: [{ type: 'web_search_20250305', name: 'web.search' }] }, model],
    [{ model: 'x', messages: [] }, model],
    [request, other],
  ])('are none in other requests, and elsewhere', (asked, reader) => {
    expect(spelledForClaude({ request: asked, model: reader })).toBe(asked);
    const content = [use(LIST, sent)];
    expect(callersCalls(content, { request: asked, model: reader })).toBe(content);
  });
});
