import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { workedMs } from '../../../../test/support/worked-ms.js';
import { type Model } from '../../../contract/model.js';
import { anthropicHistory, historyEdits } from './anthropic-history.js';
import { marked } from '../proof-marks.js';

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = { type: 'text', text: 'Hi' };
const thought = (signature?: unknown) => ({ type: 'thinking', thinking: 'hm', signature });
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { n: 1 } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

const editsFor = (name: string, messages: unknown) =>
  historyEdits({ body: { messages }, model: { name, provider: 'mine' } as Model });

describe('anthropicHistory', () => {
  it('has nothing to say to a conversation that is Anthropic’s own, or none at all', () => {
    const own = [
      { role: 'user', content: 'Hi' },
      assistant(thought('sig'), { type: 'redacted_thinking', data: 'x' }, text, use('toolu_1')),
      user(result('toolu_1')),
      assistant(),
    ];
    expect(anthropicHistory(own)).toBeUndefined();
    expect(editsFor('claude-opus-5', own).size).toBe(0);
    for (const odd of [undefined, null, 'x', {}, [null, 1, { role: 'assistant' }, assistant()]]) {
      expect(anthropicHistory(odd)).toBeUndefined();
    }
  });

  it.each([
    ['blank', '\n\n'],
    ['empty', ''],
  ])('takes out a %s text before calls', (_, said) => {
    const turns = (...blocks: object[]) => [user(text), assistant(...blocks), user(result('a'))];
    const blank = { type: 'text', text: said };
    expect(anthropicHistory(turns(blank, use('a')))).toEqual(turns(use('a')));
    expect(anthropicHistory(turns(blank, use('a')), { name: 'glm-5', provider: 'mine' })).toBe(
      undefined,
    );
  });

  it('leaves a blank text beside one that says something, which Claude takes', () => {
    const blank = { type: 'text', text: '\n\n' };
    expect(anthropicHistory([user(text), assistant(blank, text), user(text)])).toBeUndefined();
    const empty = { type: 'text', text: '' };
    expect(anthropicHistory([user(text), assistant(empty, text), user(text)])).toEqual([
      user(text),
      assistant(text),
      user(text),
    ]);
  });

  it.each([[[]], [''], ['\n'], [[{ type: 'text', text: ' ' }]]])(
    'takes out an answer of nothing: %j',
    (content) => {
      const silent = { role: 'assistant', content };
      expect(anthropicHistory([user(text), silent, user(text)])).toEqual([user(text), user(text)]);
    },
  );

  it.each([
    ['marked by another', thought(marked('gemini', 'proof'))],
    ['unsigned', thought('')],
    ['without a signature', thought()],
    ['sealed by another', { type: 'redacted_thinking', data: marked('openai', 'x') }],
  ])('takes out thinking that is %s', (_, block) => {
    const messages = [user(text), assistant(block, thought('own'), text), user(text)];
    expect(anthropicHistory(messages)).toEqual([
      user(text),
      assistant(thought('own'), text),
      user(text),
    ]);
    expect(anthropicHistory([user(block)])).toBeUndefined();
  });

  const search = (id: string) => [
    { type: 'server_tool_use', id, name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: id, content: [] },
  ];
  const cited = (encrypted_index: string) => ({
    type: 'web_search_result_location',
    url: 'https://docks.example',
    encrypted_index,
  });

  it.each(['srvtoolu_01AbC', 'srvtoolu_bdrk_01AbC', 'srvtoolu_vrtx_01AbC'])(
    'leaves what ran at Anthropic alone: %s',
    (id) => {
      const mcp = { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: [] };
      const answer = { ...text, citations: [cited('E1')] };
      expect(anthropicHistory([assistant(...search(id), mcp, answer)])).toBeUndefined();
    },
  );

  it.each(['srvtoolu_0_req_1', 'call_1', 'run-1', ''])(
    'takes out what ran at another vendor, and keeps it for a model that is no Claude: %s',
    (id) => {
      const turn = assistant(...search(id), text, ...search('srvtoolu_01AbC'));
      expect(anthropicHistory([turn])).toEqual([assistant(text, ...search('srvtoolu_01AbC'))]);
      expect(editsFor('glm-5', [assistant(text, ...search('srvtoolu_0_req_1'))]).size).toBe(0);
    },
  );

  it('takes out citations that have no index of Anthropic’s', () => {
    const page = { type: 'page_location', document_index: 0 };
    const messages = [
      assistant({ ...text, citations: [cited('')] }),
      assistant({ ...text, citations: [cited(''), page, cited('E1'), null] }),
    ];
    expect(anthropicHistory(messages)).toEqual([
      assistant(text),
      assistant({ ...text, citations: [page, cited('E1'), null] }),
    ]);
  });

  it('takes out a turn of which nothing is left', () => {
    const messages = [user(text), assistant(thought('')), user(text)];
    expect(anthropicHistory(messages)).toEqual([user(text), user(text)]);
  });

  it('leaves unsigned thinking to a model that is no Claude, and never what another issued', () => {
    const others = [
      thought(marked('gemini', 'proof')),
      thought('of Anthropic'),
      { type: 'redacted_thinking', data: 'of Anthropic' },
    ];
    const messages = [assistant(thought(''), ...others, text)];
    const edits = editsFor('minimax-m2', messages);
    expect(JSON.parse(edits.get('messages') ?? '')).toEqual([assistant(thought(''), text)]);
    expect(editsFor('minimax-m2', [assistant(thought(''), text)]).size).toBe(0);
  });

  it('respells ids of calls and of their results alike, and never makes two the same', () => {
    const ids = ['call:1', 'call_1', 'call.1', '', 'ok-1'];
    const turns = anthropicHistory([assistant(...ids.map(use)), user(...ids.map(result))]);
    const [calls, results] =
      turns?.map(({ content }) => content as unknown as Record<string, string>[]) ?? [];
    const spelled = calls?.map(({ id }) => id);
    expect(spelled).toEqual(['call_1_2', 'call_1', 'call_1_3', 'call', 'ok-1']);
    expect(results?.map(({ tool_use_id }) => tool_use_id)).toEqual(spelled);
  });

  it('spells thousands of odd ids in no time', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `:${'.'.repeat(index % 7)}${index}:`);
    const same = Array.from({ length: 30_000 }, (_, index) => String.fromCharCode(0x4e00 + index));
    const ms = await workedMs(() => anthropicHistory([assistant(...[...ids, ...same].map(use))]));
    // One by one they would take minutes.
    expect(ms).toBeLessThan(10_000);
  });

  it('leaves every other block as it was, and what it made it leaves alone', () => {
    const block = fc.oneof(
      fc.record({ type: fc.constant('text'), text: fc.string() }),
      fc.record({
        type: fc.constant('tool_use'),
        id: fc.string(),
        input: fc.dictionary(fc.string(), fc.integer()),
      }),
      fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.string() }),
      fc.record({
        type: fc.constant('thinking'),
        signature: fc.constantFrom('', 'cw1.x.y', 'own'),
      }),
    );
    const turn = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.array(block, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 4 }), (turns) => {
        const made = anthropicHistory(turns);
        if (made) expect(anthropicHistory(made)).toBeUndefined();
        const said = (list: readonly { content: unknown }[]) =>
          list
            .flatMap(({ content }) => (content as { text?: string }[]).map((one) => one.text))
            .filter((text) => text?.trim());
        expect(said((made ?? turns) as typeof turns)).toEqual(said(turns));
      }),
    );
  });
});
