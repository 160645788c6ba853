import { describe, expect, it } from '@jest/globals';
import { chatHistory } from './openai-chat-history.js';

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{}' },
});
const claudes = [
  { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1' },
];
const geminis = [{ type: 'reasoning.text', text: 'Hm', signature: 'cw1.gemini.s' }];
const said = { role: 'assistant', content: 'Yes' };
const reasoner = { id: 'openai/o3', capabilities: { supports_reasoning: true } };
const LONG = 'call_' + 'x'.repeat(60);

describe('chatHistory', () => {
  it.each([
    ['text beside details', { reasoning_content: 'Hm', reasoning_details: claudes }],
    ['marked details', { reasoning_content: 'Hm', reasoning_details: geminis }],
    ['text in a field of others', { reasoning_content: 'Hm' }],
    ['text in another field of others', { reasoning: 'Hm' }],
  ])('leaves out the thinking of another model: %s', (_, thought) => {
    expect(
      chatHistory({ messages: [{ ...said, ...thought }] }, reasoner, { thinksIn: [] }),
    ).toEqual([said]);
  });

  it('leaves out parts of thinking, and the answer where it is nothing else', () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] };
    const text = { type: 'text', text: 'Yes' };
    const turns = [
      { role: 'assistant', content: [thought, text] },
      { role: 'assistant', content: [thought], tool_calls: [call('call_1')] },
      { role: 'assistant', content: [thought] },
    ];
    expect(chatHistory({ messages: turns }, reasoner, { thinksIn: ['reasoning'] })).toEqual([
      { role: 'assistant', content: [text] },
      { role: 'assistant', content: null, tool_calls: [call('call_1')] },
    ]);
    expect(chatHistory({ messages: turns }, reasoner, { thinksIn: ['content'] })).toBeUndefined();
    const refusing = { thinksIn: ['content'], refusesThoughts: true } as const;
    expect(chatHistory({ messages: turns }, reasoner, refusing)).toBeUndefined();
    const other = { id: 'mistral/devstral-2512', capabilities: {} };
    expect(chatHistory({ messages: turns }, other, refusing)).toHaveLength(2);
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'Hm' }],
    ['reasoning', { reasoning: 'Hm' }],
    ['reasoning_details', { reasoning: 'Hm', reasoning_details: claudes }],
  ] as const)("keeps the provider's own: %s", (field, thought) => {
    const turns = [{ ...said, ...thought }];
    expect(
      chatHistory({ messages: turns }, reasoner, { thinksIn: [field, 'reasoning'] }),
    ).toBeUndefined();
  });

  it('takes a message with marked details for that of another, whoever knows the fields', () => {
    const thought = { reasoning: 'Hm', reasoning_details: geminis };
    const thinksIn = ['reasoning', 'reasoning_details'] as const;
    expect(chatHistory({ messages: [{ ...said, ...thought }] }, reasoner, { thinksIn })).toEqual([
      said,
    ]);
  });

  it.each([
    ['40 characters', {}, /^call_x{27}_\w{7}$/],
    ['nine', { shortCallIds: true }, /^[a-z\d]{9}$/],
  ])('spells the ids of calls alike in call and result: %s', (_, quirks, spelling) => {
    const turns = [
      { role: 'assistant', content: null, tool_calls: [call(LONG)] },
      { role: 'tool', tool_call_id: LONG, content: 'x' },
    ];
    const [calling, result] = chatHistory({ messages: turns }, reasoner, {
      ...quirks,
      thinksIn: [],
    }) as any[];
    expect(calling.tool_calls[0]).toEqual(call(result.tool_call_id));
    expect(result.tool_call_id).toMatch(spelling);
  });

  it('leaves short ids, which a caller made up, to the model that was named', () => {
    const messages = [{ role: 'tool', tool_call_id: 'call_of_mine_1', content: 'x' }];
    expect(
      chatHistory({ messages }, reasoner, { shortCallIds: true, thinksIn: [] }),
    ).toBeUndefined();
  });

  it.each(['c1', 'a_b', 'call_of_mine_1'])('spells %s as nine for another model', (id) => {
    const messages = [{ role: 'tool', tool_call_id: id, content: 'x' }];
    const body = { model: 'openai/gpt-5', messages };
    const sent = chatHistory(body, reasoner, { shortCallIds: true, thinksIn: [] });
    expect(sent).toEqual([{ ...messages[0], tool_call_id: expect.stringMatching(/^[a-z\d]{9}$/) }]);
  });

  it.each([
    'functions.read:0',
    'call_d5wg',
    'call_62136357',
    'toolu_01A09q90qw90lq917835lq9',
    'gqv510lg',
    'gZVpFKHv',
    'read_ab12cd34efgh',
  ])('spells %s as nine', (id) => {
    const messages = [{ role: 'tool', tool_call_id: id, content: 'x' }];
    const sent = chatHistory({ messages }, reasoner, { shortCallIds: true, thinksIn: [] });
    expect(sent).toEqual([{ ...messages[0], tool_call_id: expect.stringMatching(/^\w{9}$/) }]);
  });

  it('puts a space where a call has no thinking and the provider demands some', () => {
    const quirks = { thinksIn: ['reasoning_content'], thinkingHistory: 'required' } as const;
    const calling = { role: 'assistant', content: null, tool_calls: [call('call_1')] };
    const foreign = { ...calling, reasoning_content: 'Hm', reasoning_details: claudes };
    const own = { ...calling, reasoning_content: 'I read' };
    const modest = { ...reasoner, capabilities: {} };
    expect(chatHistory({ messages: [calling] }, modest, quirks)).toBeUndefined();
    const disabled = { messages: [calling], thinking: { type: 'disabled' } };
    expect(chatHistory(disabled, reasoner, quirks)).toBeUndefined();
    const empty = { ...calling, reasoning_content: '' };
    expect(
      chatHistory({ messages: [said, calling, foreign, own, empty] }, reasoner, quirks),
    ).toEqual([
      said,
      { ...calling, reasoning_content: ' ' },
      { ...calling, reasoning_content: ' ' },
      own,
      empty,
    ]);
  });

  it.each([undefined, 'x', [], [null, 7, 'x'], [{ role: 'assistant', tool_calls: 7 }]])(
    'leaves what has no form to the provider: %j',
    (turns) => {
      expect(chatHistory({ messages: turns }, reasoner, { thinksIn: [] })).toBeUndefined();
    },
  );

  it('says to another server of the operator’s own as the system what developers say', () => {
    const turn = (role: string) => ({ role, content: 'Be kind' });
    const messages = [turn('developer'), { role: 'user', content: 'Hi' }, said];
    const system = [turn('system'), ...messages.slice(1)];
    expect(chatHistory({ model: 'openai/gpt-5', messages }, reasoner, {})).toEqual(system);
    expect(chatHistory({ model: reasoner.id, messages }, reasoner, {})).toBeUndefined();
  });

  it('says to others otherwise what OpenAI alone says, and to OpenAI as it came', () => {
    const openais = { ...said, refusal: null, annotations: [] };
    const developer = { role: 'developer', content: 'Be kind' };
    const messages = [developer, { role: 'user', content: 'Hi' }, openais];
    expect(chatHistory({ messages }, reasoner, { thinksIn: [] })).toEqual([
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'Hi' },
      said,
    ]);
    expect(
      chatHistory({ messages }, reasoner, { thinksIn: [], knowsOpenai: true }),
    ).toBeUndefined();
  });

  it.each([
    ['nothing is left', { content: null, reasoning_content: 'Hm' }, []],
    ['nothing is left of its list', { content: [], reasoning: 'Hm' }, []],
    ['it refused', { content: null, refusal: 'No', reasoning: 'Hm' }, [{ refusal: 'No' }]],
    ['it spoke', { content: null, audio: { id: 'a' }, reasoning: 'H' }, [{ audio: { id: 'a' } }]],
    ['it is blank', { content: '', reasoning_content: 'Hm' }, [{ content: '' }]],
  ])('leaves out an answer of thoughts before OpenAI where %s', (_, turn, left) => {
    const role = 'assistant';
    const quirks = { thinksIn: [], knowsOpenai: true };
    expect(chatHistory({ messages: [{ role, ...turn }] }, reasoner, quirks)).toEqual(
      left.map((kept) => ({ role, content: null, ...kept })),
    );
  });

  it('leaves out an answer of nothing before another model than the one that was named', () => {
    const messages = [said, { role: 'assistant', content: null }];
    const thoughts = [said, { ...messages[1], reasoning: 'Hm' }];
    const quirks = { thinksIn: ['reasoning'], knowsOpenai: true } as const;
    const model = 'openai/gpt-5';
    expect(chatHistory({ model, messages }, reasoner, quirks)).toEqual([said]);
    expect(chatHistory({ model, messages: thoughts }, reasoner, quirks)).toBeUndefined();
    expect(chatHistory({ model: reasoner.id, messages }, reasoner, quirks)).toBeUndefined();
  });

  it('changes nothing for a provider of which nobody knows how it thinks', () => {
    const turns = [{ ...said, reasoning_content: 'Hm', reasoning_details: geminis }];
    expect(chatHistory({ messages: turns }, reasoner, {})).toBeUndefined();
  });
});
