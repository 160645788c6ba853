import { describe, expect, it } from '@jest/globals';
import {
  ask,
  assistant,
  CLAUDE,
  EVERY,
  eventsIn,
  messageIn,
  result,
  text,
  tool,
  TRANSLATED,
  use,
  user,
} from './support/lessons.js';
import { useScriptedGateway } from './support/scripted-upstream.js';

const MESSAGES = '/v3/v1/messages';
const CHAT = '/v3/chat/completions';
const stream = true;

/** What Anthropic alone can read, or nobody. */
const UNTRANSLATABLE = [
  ['a file that Anthropic keeps', user({ type: 'image', source: { type: 'file', file_id: 'f' } })],
  ['a container', user({ type: 'container_upload', file_id: 'f' })],
  ['a block from tomorrow', user({ type: 'hologram', data: 'x' })],
  ['a search by Anthropic', assistant({ ...use('s', 'web_search'), type: 'server_tool_use' })],
  ['a text without its text', user({ type: 'text' })],
  ['a call without its input', assistant({ type: 'tool_use', id: 'c', name: 'read' })],
] as const;

describe('what users of other gateways found translated wrongly', () => {
  const { scripted, upstream, post } = useScriptedGateway();

  it.each(TRANSLATED)('L#16711: several tool_result blocks for one id (%s)', async (_, model) => {
    scripted.plays([{ text: 'Thanks' }]);
    const messages = [
      user(text('Read')),
      assistant(use('call_a'), use('call_b', 'write')),
      user(result('call_a', 'first half'), result('call_b', 'done')),
      user(result('call_a', 'second half'), text('Go on')),
    ];
    const tools = [tool('read'), tool('write')];
    await post(MESSAGES, ask(model, { messages, tools, stream })).expect(200);
    const { results } = scripted.lastTurn!;
    expect(results).toHaveLength(2);
    const [whole] = results.filter((each) => each.text.includes('first half'));
    expect(whole!.text).toContain('second half');
    expect(upstream.last.text).toContain('Go on');
  });

  it.each(TRANSLATED)('L#25848: empty output (%s)', async (_, model) => {
    scripted.plays([{ text: 'Not empty' }]);
    const { text: streamed } = await post(MESSAGES, ask(model, { stream })).expect(200);
    expect((await messageIn(streamed)).content).toEqual([text('Not empty')]);
  });

  it.each(TRANSLATED)('L#22878: 400 for what Claude Code 2.1.69 sends (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    const cache_control = { type: 'ephemeral' };
    const body = ask(model, {
      stream,
      system: [{ ...text('You are an agent.'), cache_control }],
      messages: [user({ ...text('Hi'), cache_control })],
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
      tools: [{ ...tool('read'), cache_control, defer_loading: true, input_examples: [{}] }],
      metadata: { user_id: 'u'.repeat(200) },
    });
    await post(`${MESSAGES}?beta=true`, body)
      .set('anthropic-beta', 'effort-2025-11-24')
      .expect(200);
    const foreign = /cache_control|context_management|defer_loading|input_examples|output_config/;
    expect(upstream.last.text).not.toMatch(foreign);
    expect(Object.keys(upstream.last.headers).join()).not.toContain('anthropic');
  });

  it.each(TRANSLATED)(
    'Anthropic’s search for tools is left out with all it found (%s)',
    async (_, model) => {
      scripted.plays([{ text: 'Done' }]);
      const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
      const deferred = { ...tool('read'), defer_loading: true };
      const found = [{ type: 'tool_reference', tool_name: 'read' }];
      const messages = [
        user(text('Read')),
        assistant(
          text('I look for a tool.'),
          { ...use('srvtoolu_1', search.name, { query: 'read' }), type: 'server_tool_use' },
          {
            type: 'tool_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: { type: 'tool_search_tool_search_result', tool_references: found },
          },
          use('call_a'),
        ),
        user(result('call_a', 'what is there')),
      ];
      const body = ask(model, { messages, tools: [search, deferred], stream });
      await post(MESSAGES, body).expect(200);
      expect(upstream.last.text).not.toMatch(/tool_search|srvtoolu|tool_reference/);
      expect(upstream.last.text).toContain('"read"');
      expect(scripted.lastTurn!.results.map((each) => each.text)).toEqual([
        expect.stringContaining('what is there'),
      ]);
      await post(MESSAGES, { ...body, tool_choice: { type: 'any' } }).expect(200);
      await post(MESSAGES, ask(model, { tools: [search], stream })).expect(200);
      expect(upstream.last.text).not.toMatch(/tool/i);
      for (const [tools, tool_choice] of [
        [[search, deferred], { type: 'tool', name: search.name }],
        [[search], { type: 'any' }],
      ]) {
        const { text: said } = await post(MESSAGES, ask(model, { tools, tool_choice })).expect(400);
        expect(said).toContain('tool_choice: tools are searched for by Anthropic only.');
      }
    },
  );

  const shapes = TRANSLATED.map(([format, model]) =>
    format === 'openai'
      ? (['L#25602: tool and stream shapes', model] as const)
      : ([`L#21584: tool and stream shapes of another provider (${format})`, model] as const),
  );
  it.each(shapes)('%s', async (_, model) => {
    scripted.plays([{ text: 'I look.' }, { tool: 'read', input: { path: '/a "b"' } }]);
    const body = ask(model, { stream, tools: [tool('read')] });
    const said = await messageIn((await post(MESSAGES, body).expect(200)).text);
    expect(said.content.filter(({ type }) => type !== 'thinking')).toEqual([
      text('I look.'),
      { ...use(expect.any(String) as never), input: { path: '/a "b"' } },
    ]);
    expect(said.stop_reason).toBe('tool_use');
  });

  it.each(TRANSLATED)('B#5179: `tools: []` is made up (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    for (const more of [{}, { tools: [] }, { tools: [], tool_choice: { type: 'auto' } }]) {
      await post(MESSAGES, ask(model, { ...more, stream })).expect(200);
      expect(upstream.last.text).not.toMatch(/tool/i);
    }
  });

  it('B#3511 and B#3512: tools of OpenAI’s format on their way to Anthropic', async () => {
    scripted.plays([{ text: 'Hi' }]);
    const { input_schema: parameters } = tool('read');
    const call = { name: 'read', arguments: '{"path":"/a"}' };
    await post(CHAT, {
      model: CLAUDE,
      stream,
      messages: [
        { role: 'user', content: 'Read' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_a', type: 'function', function: call }],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'the text' },
      ],
      tools: [{ type: 'function', function: { name: 'read', parameters } }],
      tool_choice: { type: 'function', function: { name: 'read' } },
    }).expect(200);
    expect(upstream.last.body).toMatchObject({
      messages: [
        { role: 'user', content: 'Read' },
        assistant(use('call_a', 'read', { path: '/a' })),
        user(result('call_a', 'the text')),
      ],
      tools: [tool('read')],
      tool_choice: { type: 'tool', name: 'read' },
    });
  });

  it('B#3443: pieces of tool calls that OpenAI’s schema does not allow', async () => {
    const input = { path: '/a' };
    scripted.plays([
      { tool: 'read', input },
      { tool: 'read', input: {} },
    ]);
    const messages = [{ role: 'user', content: 'Hi' }];
    const { text: streamed } = await post(CHAT, { model: CLAUDE, messages, stream }).expect(200);
    const pieces = eventsIn(streamed).flatMap(
      ({ data }) => data.choices?.[0]?.delta.tool_calls ?? [],
    );
    for (const [index, args] of [JSON.stringify(input), '{}'].entries()) {
      const [first, ...later] = pieces.filter((piece) => piece.index === index);
      expect(first).toEqual({
        index,
        id: expect.any(String),
        type: 'function',
        function: { name: 'read', arguments: expect.any(String) },
      });
      for (const piece of later) {
        expect(piece).toEqual({ index, function: { arguments: expect.any(String) } });
      }
      const said = [first, ...later].map((piece) => piece.function.arguments);
      expect(said.join('')).toBe(args);
    }
  });

  it.each(EVERY)('B#2347: the order of tools, on which the cache rests (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    const names = ['zeta', 'mcp__b__x', 'alpha', 'mcp__a__x', 'beta'];
    const body = ask(model, { stream, tools: names.map(tool) });
    await post(MESSAGES, body).expect(200);
    const { text: sent } = upstream.last;
    expect(scripted.lastTurn!.tools.map(({ name }) => name)).toEqual(names);
    await post(MESSAGES, body).expect(200);
    expect(upstream.last.text).toBe(sent);
  });

  it.each(EVERY)('B#4402: gs:// images are lost without a word (%s)', async (_, model) => {
    scripted.plays([{ text: 'A cat' }]);
    const url = 'gs://bucket/cat.png';
    const messages = [user({ type: 'image', source: { type: 'url', url } }, text('What is it?'))];
    const reply = await post(MESSAGES, ask(model, { stream, messages }));
    if (reply.status === 200) expect(upstream.last.text).toContain(url);
    else {
      expect(reply.body.error.message).toContain('messages[0].content[0].source.url');
      expect(upstream.received).toEqual([]);
    }
  });

  it.each(
    TRANSLATED.flatMap(([format, model]) =>
      UNTRANSLATABLE.map(([name, turn]) => [format, name, model, turn] as const),
    ),
  )(
    'envoyproxy/ai-gateway#1372, #1867, #1936 and #2102: gaps in the translation (%s, %s)',
    async (_, name, model, turn) => {
      scripted.plays([{ text: 'Hi' }]);
      const messages = [user(text('Hi')), turn, user(text('And?'))];
      const reply = await post(MESSAGES, ask(model, { stream, messages })).expect(400);
      expect(reply.body.error.type).toBe('invalid_request_error');
      expect(reply.body.error.message).toContain('messages[1].content[0]');
      expect(reply.body.error.message).toMatch(/no counterpart|must be/);
      expect([name, upstream.received]).toEqual([name, []]);
    },
  );

  it.each(TRANSLATED)('MCP servers that only Anthropic calls (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    const mcp_servers = [{ type: 'url', name: 'tickets', url: 'https://mcp.example' }];
    const reply = await post(MESSAGES, ask(model, { mcp_servers })).expect(400);
    expect(reply.body.error.message).toContain('mcp_servers: are called by Anthropic only');
    expect(upstream.received).toEqual([]);
    await post(MESSAGES, ask(model, { mcp_servers: [], stream })).expect(200);
  });

  it.each(TRANSLATED)('documents in pieces and what was found elsewhere (%s)', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    const pieces = { type: 'content', content: [text('a first piece'), text('a second')] };
    const found = { type: 'search_result', source: 'https://x.test', title: 'Found' };
    const messages = [
      user({ type: 'document', source: pieces }, { ...found, content: [text('a third')] }),
    ];
    await post(MESSAGES, ask(model, { messages, stream })).expect(200);
    const sent = upstream.last.text.replaceAll(
      Buffer.from('a first piece\n\na second').toString('base64'),
      'a first piece',
    );
    for (const said of ['a first piece', 'a third']) expect(sent).toContain(said);
  });
});
