import { describe, expect, it } from '@jest/globals';
import { messagesCall, modelNamed } from '../../../../test/support/translation.js';
import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { type CallContext, type ServerEvent, type UpstreamReply } from '../../provider.js';
import { PROVIDERS } from '../../providers.js';
import { chatDialect } from './openai-chat-dialect.js';
import { type ChatQuirks } from './openai-chat-quirks.js';

const context = (
  request: Partial<NeutralRequest> = {},
  { provider = 'deepseek', stream = false } = {},
) => messagesCall({ model: `${provider}/m`, stream, reasons: true, ...request });

const codecOf = (quirks: ChatQuirks) => chatDialect(quirks).codec!;

interface Sent {
  readonly messages: readonly Record<string, unknown>[];
  readonly [field: string]: unknown;
}

const sent = (quirks: ChatQuirks, call: CallContext<'messages'>) => {
  const [upstream] = codecOf(quirks).encode(call);
  return (upstream!.body as { json: Sent }).json;
};

const replyOf = (message: object): UpstreamReply => {
  const body = { choices: [{ message, finish_reason: 'stop' }] };
  const bytes = Buffer.from(JSON.stringify(body));
  return { status: 200, headers: {}, bytes, json: () => body };
};

const answered = (quirks: ChatQuirks, message: object, call = context()) =>
  codecOf(quirks).decode([replyOf(message)], call).result.content;

/** What an SDK puts together from the stream's events. */
const streamed = async (quirks: ChatQuirks, deltas: readonly object[], call = context()) => {
  async function* chunks(): AsyncGenerator<ServerEvent> {
    for (const delta of deltas) {
      yield { name: undefined, data: JSON.stringify({ choices: [{ index: 0, delta }] }) };
    }
    yield { name: undefined, data: '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}' };
  }
  const blocks: Record<string, unknown>[] = [];
  for await (const { data } of codecOf(quirks).decodeStream!(chunks(), call)) {
    const event = JSON.parse(data);
    if (event.type === 'content_block_start') blocks.push({ ...event.content_block });
    const block = blocks[event.index];
    const { text, thinking, signature } = event.delta ?? {};
    if (!block || event.type !== 'content_block_delta') continue;
    if (text !== undefined) block.text += text;
    if (thinking !== undefined) block.thinking += thinking;
    if (signature !== undefined) block.signature = signature;
  }
  return blocks as unknown as NeutralBlock[];
};

const RETURNED: ChatQuirks = { thinkingHistory: 'returned' };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const use = { type: 'tool_use', id: 'c', name: 'f', input: {} };
const turn = (...content: NeutralBlock[]) => ({ role: 'assistant' as const, content });

describe('openai chat: thinking that goes back', () => {
  const signed = {
    type: 'reasoning.text',
    format: 'anthropic-claude-v1',
    index: 0,
    text: 'hm, so',
    signature: 'sig==',
  };
  const sealed = { type: 'reasoning.encrypted', format: 'g', id: 'c', index: 1, data: 'xyz' };
  const summary = { type: 'reasoning.summary', format: 'o', index: 0, summary: 'short' };

  it.each([
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning', { reasoning: 'hm' }],
    ['parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }],
    ['a signed detail', { reasoning: 'hm, so', reasoning_details: [signed] }],
    ['several details', { reasoning: 'short', reasoning_details: [summary, sealed] }],
    ['a sealed detail', { reasoning_details: [sealed] }],
  ])('comes back as it was given: %s', (_form, thinking) => {
    const message = { role: 'assistant', content: null, ...thinking, tool_calls: [call] };
    const content = answered(RETURNED, message);
    const { messages } = sent(RETURNED, context({ messages: [turn(...content)] }));
    // Details repeat the text, so it is not sent twice.
    const { reasoning: _repeated, ...once } = message as Record<string, unknown>;
    expect(messages).toEqual(['reasoning_details' in message ? once : message]);
  });

  it('comes back as it was streamed, in pieces with the signature last', async () => {
    const piece = (more: object) => ({
      reasoning_details: [
        { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...more },
      ],
    });
    const content = await streamed(RETURNED, [
      { reasoning: 'hm, ', ...piece({ text: 'hm, ' }) },
      { reasoning: 'so', ...piece({ text: 'so' }) },
      piece({ signature: 'sig==' }),
      { content: 'x' },
    ]);
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    const { messages } = sent(RETURNED, context({ messages: [turn(...content)] }));
    expect(messages).toEqual([{ role: 'assistant', content: 'x', reasoning_details: [signed] }]);
  });

  it.each([
    ['of Anthropic', { type: 'thinking', thinking: 'hm', signature: 'abc' }],
    ['of another provider', { type: 'thinking', thinking: 'hm', signature: 'cw1.xai.reasoning' }],
    ['that nobody signed', { type: 'thinking', thinking: 'hm', signature: '' }],
    ['that was sealed elsewhere', { type: 'redacted_thinking', data: 'abc' }],
    [
      'with a proof that was changed',
      { type: 'thinking', thinking: 'hm', signature: 'cw1.deepseek.{' },
    ],
  ])('leaves out thinking %s', (_whose, block) => {
    const said = turn(block, { type: 'text', text: 'x' });
    expect(sent(RETURNED, context({ messages: [said] })).messages).toEqual([
      { role: 'assistant', content: 'x' },
    ]);
  });

  it('is not kept for a provider that wants none, and is not signed', () => {
    const [block] = answered({}, { content: 'x', reasoning_content: 'hm' });
    expect(block).toEqual({ type: 'thinking', thinking: 'hm', signature: '' });
    const [own] = answered(RETURNED, { content: 'x', reasoning_content: 'hm' });
    const { messages } = sent({}, context({ messages: [turn(own!, { type: 'text', text: 'x' })] }));
    expect(messages).toEqual([{ role: 'assistant', content: 'x' }]);
  });

  it('stands in for thinking that a tool call must have and does not', () => {
    const quirks: ChatQuirks = { thinkingHistory: 'required' };
    const said = turn({ type: 'text', text: 'x' });
    const { messages } = sent(quirks, context({ messages: [turn(use), said] }));
    expect(messages[0]).toMatchObject({ reasoning_content: ' ', tool_calls: [{ id: 'c' }] });
    const plain = sent(quirks, context({ messages: [said] })).messages[0];
    expect(plain).toEqual({ role: 'assistant', content: 'x' });
    const own = answered(quirks, { reasoning_content: 'hm', tool_calls: [call] });
    const back = sent(quirks, context({ messages: [turn(...own)] })).messages[0];
    expect(back).toMatchObject({ reasoning_content: 'hm' });
  });
});

describe('openai chat: quirks of a provider', () => {
  const mistral: ChatQuirks = {
    fields: {
      max_completion_tokens: 'max_tokens',
      seed: 'random_seed',
      user: undefined,
      stream_options: undefined,
    },
    shortCallIds: true,
  };

  it.each([
    ['openai', 'max_completion_tokens'],
    ['groq', 'max_completion_tokens'],
    ...['alibaba', 'deepinfra', 'deepseek', 'huggingface', 'mistral', 'perplexity', 'together'].map(
      (name) => [name, 'max_tokens'],
    ),
  ])('bounds what a model of %s thinks and writes by %s', (name, field) => {
    const { messages = [] } = PROVIDERS.find((provider) => provider.name === name)!.endpoints;
    const { codec } = messages.find(({ format }) => format === 'openai')!;
    const [call] = codec!.encode(context({ max_tokens: 50 }, { provider: name }));
    const { json } = call!.body as { json: Sent };
    expect(json[field!]).toBe(50);
    expect(Object.keys(json).filter((key) => key.startsWith('max_'))).toEqual([field]);
  });

  it('has MiniMax tell its thinking apart from its text, and gives that back', () => {
    const { messages: [minimax] = [] } = PROVIDERS.find(
      ({ name }) => name === 'minimax',
    )!.endpoints;
    const { encode, decode } = minimax!.codec!;
    const asked = (request: Partial<NeutralRequest>) => {
      const [upstream] = encode(context(request, { provider: 'minimax' }));
      return (upstream!.body as { json: Sent }).json;
    };
    expect(asked({}).reasoning_split).toBe(true);
    expect(asked({ reasoning_split: false }).reasoning_split).toBe(false);
    const detail = { type: 'reasoning.text', id: 'reasoning-text-1', index: 0, text: 'hm' };
    const said = { role: 'assistant', content: 'x', reasoning_details: [detail] };
    const reply = replyOf({ ...said, reasoning_content: 'hm' });
    const { content } = decode([reply], context({}, { provider: 'minimax' })).result;
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(asked({ messages: [turn(...content)] }).messages).toEqual([said]);
  });

  it('calls fields by the provider’s names and leaves out what it refuses', () => {
    const request = {
      max_tokens: 5,
      seed: 7,
      metadata: { user_id: 'u' },
      safe_prompt: true,
      toString: 1,
    };
    expect(sent(mistral, context(request, { stream: true }))).toEqual({
      model: 'm',
      messages: [],
      max_tokens: 5,
      random_seed: 7,
      safe_prompt: true,
      toString: 1,
      stream: true,
    });
  });

  it('does not ask for usage in a relayed stream either, and still reports it', () => {
    const body = { stream: true, stream_options: { include_usage: true } };
    const { relay } = chatDialect(mistral);
    const call = {
      model: modelNamed('mistral/m'),
      place: {},
      headers: {},
      stream: true,
      body,
      created: 0,
    };
    const { edits } = relay!.request(call);
    expect(edits.has('stream_options')).toBe(true);
    expect(edits.get('stream_options')).toBeUndefined();
    const usual = chatDialect().relay!.request(call).edits.get('stream_options');
    expect(usual).toBe('{"include_usage":true}');
  });

  it('makes ids of nine letters and digits, the same for a call and its result', () => {
    const id = 'toolu_01A09q90qw90lq917835lq9';
    const messages = [
      turn({ ...use, id }, { ...use, id: 'tfn2AP3zy' }),
      {
        role: 'user' as const,
        content: [
          { type: 'tool_result', tool_use_id: id, content: 'a' },
          { type: 'tool_result', tool_use_id: 'tfn2AP3zy', content: 'b' },
        ],
      },
    ];
    const [assistant, ...results] = sent(mistral, context({ messages })).messages;
    const ids = (assistant!.tool_calls as { id: string }[]).map((called) => called.id);
    expect(ids).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/), 'tfn2AP3zy']);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
  });

  it.each([
    [{ type: 'disabled' }, { type: 'disabled' }],
    [{ type: 'enabled', budget_tokens: 2_000 }, { type: 'enabled' }],
    [{ type: 'adaptive' }, { type: 'enabled' }],
    [undefined, undefined],
  ])('switches thinking %j by %j where it is switched so', (thinking, switched) => {
    const request = thinking ? { thinking } : {};
    expect(sent({ thinkingSwitch: 'thinking' }, context(request)).thinking).toEqual(switched);
    expect(sent({}, context(request)).thinking).toBeUndefined();
  });

  it('switches the thinking by yes and no where it is so, of a model that can think', () => {
    const tools = [{ name: 'f', input_schema: { type: 'object' } }];
    const told = (asked: object, supports_reasoning = true) => {
      const call = context(asked);
      const model = { ...call.model, capabilities: { supports_reasoning } };
      const { thinking, enable_thinking } = sent(
        { thinkingSwitch: 'enable_thinking' },
        { ...call, model },
      );
      expect(thinking).toBeUndefined();
      return enable_thinking;
    };
    expect(told({ thinking: { type: 'adaptive' } })).toBe(true);
    expect(told({ thinking: { type: 'disabled' } })).toBe(false);
    expect(told({ tools, tool_choice: { type: 'any' } })).toBe(false);
    expect(told({ tools })).toBeUndefined();
    expect(told({ thinking: { type: 'adaptive' } }, false)).toBeUndefined();
  });

  it.each([
    [{ thinking: { type: 'adaptive' } }, { reasoning: { enabled: true } }],
    [
      { thinking: { type: 'adaptive' }, reasoning: { exclude: true } },
      { reasoning: { exclude: true } },
    ],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { reasoning_effort: 'low' },
    ],
    [{ thinking: { type: 'enabled', budget_tokens: 9_000 } }, { reasoning_effort: 'medium' }],
    [{ thinking: { type: 'disabled' } }, {}],
    [{}, {}],
  ])('has OpenRouter think for %j by %j', (asked, told) => {
    const call = context(asked);
    const model = { ...call.model, capabilities: { supports_reasoning: true } };
    const { reasoning, reasoning_effort } = sent({ takesReasoning: true }, { ...call, model });
    expect({ reasoning, reasoning_effort }).toEqual(told);
    const { reasoning: own } = call.request;
    expect(sent({}, { ...call, model }).reasoning).toEqual(own);
    const plain = { ...call.model, capabilities: {} };
    expect(sent({ takesReasoning: true }, { ...call, model: plain }).reasoning).toEqual(own);
  });

  it('does not think before a tool that is forced', () => {
    const tools = [{ name: 'f', input_schema: { type: 'object' } }];
    const thinking = (type: string, reasons: boolean) => {
      const call = context({ tools, tool_choice: { type } });
      const capabilities = { supports_reasoning: reasons };
      const model = { ...call.model, capabilities };
      return sent({ thinkingSwitch: 'thinking' }, { ...call, model }).thinking;
    };
    expect(thinking('any', true)).toEqual({ type: 'disabled' });
    expect(thinking('any', false)).toBeUndefined();
    expect(thinking('auto', true)).toBeUndefined();
  });

  it('has Claude cached as a whole where its blocks have marks', () => {
    const mark = { type: 'ephemeral', ttl: '1h' };
    const system = [{ type: 'text', text: 'Be brief.', cache_control: mark }];
    const cached = (name: string, request: object) => {
      const call = context(request as never);
      const json = sent({ automaticCache: true }, { ...call, model: { ...call.model, name } });
      return json.cache_control;
    };
    expect(cached('anthropic/claude-haiku-4.5', { system })).toEqual(mark);
    expect(cached('anthropic/claude-haiku-4.5', { system, cache_control: {} })).toEqual({});
    expect(cached('anthropic/claude-haiku-4.5', {})).toBeUndefined();
    expect(cached('openai/gpt-5', { system })).toBeUndefined();
    expect(sent({}, context({ system } as never)).cache_control).toBeUndefined();
  });
});

describe('openai chat: what compatible servers add', () => {
  const url = 'data:image/png;base64,iVBO';
  const picture = { type: 'image_url', image_url: { url } };
  const drawn = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'iVBO' },
  };

  it('keeps pictures that the model drew', async () => {
    const said = { type: 'text', text: 'here' };
    expect(answered({}, { content: 'here', images: [picture] })).toEqual([said, drawn]);
    expect(await streamed({}, [{ content: 'here' }, { images: [picture] }])).toEqual([said, drawn]);
    const address = { image_url: { url: 'https://x.example/a.png' } };
    expect(answered({}, { content: '', images: [address] })).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } },
    ]);
  });

  it.each([
    ['OpenAI’s', { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } }],
    ['Xiaomi’s', { type: 'url_citation', url: 'https://a.example', title: 'A', summary: '' }],
  ])('keeps %s citations on the text', (_whose, annotation) => {
    const citation = {
      type: 'web_search_result_location',
      url: 'https://a.example',
      title: 'A',
      cited_text: '',
      encrypted_index: '',
    };
    const file = { type: 'file', file: { hash: 'h', name: 'f' } };
    expect(answered({}, { content: 'x', annotations: [annotation, file, null] })).toEqual([
      { type: 'text', text: 'x', citations: [citation] },
    ]);
  });
});
