import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './support/databases.js';
import {
  ask,
  assistant,
  CLAUDE,
  GEMINI,
  messageIn,
  NOVA,
  result,
  text,
  tool,
  use,
  user,
} from './support/lessons.js';
import { ScriptedUpstream, useScriptedGateway } from './support/scripted-upstream.js';
import { PROOF, type Said } from './support/scripted-upstream-wire.js';
import { useGatewayBefore } from './support/use-gateway.js';

const MESSAGES = '/v3/v1/messages';
const stream = true;
const tools = [tool('read')];

describe('proofs of an operator’s own provider that speaks Anthropic’s format', () => {
  const file = join(temporaryDirectory(), 'models.yaml');
  const scripted = new ScriptedUpstream();
  const { upstream } = scripted;
  const mine = 'mine/glm-5';
  const { post } = useGatewayBefore((url) => {
    const pricing = '{ input_cost_per_token: 0, output_cost_per_token: 0 }';
    writeFileSync(
      file,
      `providers: { mine: { format: anthropic, base_url: "${url}/anthropic" } }\n` +
        `models: { ${mine}: { endpoints: [messages], pricing: ${pricing} } }`,
    );
    return { ...scripted.settings, MODELS_FILE: file };
  }, upstream);
  const first = user(text('Read'));
  const body = (model: string, ...messages: object[]) =>
    ask(model, { messages, tools, thinking: { type: 'adaptive' } });

  it('are marked for a caller of another format too', async () => {
    scripted.plays([{ thinking: 'Let me look.' }, { text: 'Yes' }]);
    const chat = { model: mine, messages: [{ role: 'user', content: 'Hi' }], stream };
    const { text: streamed } = await post('/v3/chat/completions', {
      ...chat,
      reasoning_effort: 'low',
    }).expect(200);
    expect(streamed).toContain(`cw1.messages-mine.${PROOF}`);
  });

  it.each([true, false])('go back to it alone, streamed or not (%s)', async (isStream) => {
    const said: readonly Said[] = [
      { thinking: 'Let me look.' },
      { tool: 'read', input: { path: '/a' } },
    ];
    if (isStream) scripted.plays(said);
    else {
      const thought = { type: 'thinking', thinking: 'Let me look.', signature: PROOF };
      const usage = { input_tokens: 1, output_tokens: 1 };
      upstream.replies(200, { content: [thought, use('toolu_1')], usage });
    }
    const reply = await post(MESSAGES, { ...body(mine, first), stream: isStream }).expect(200);
    const { content } = isStream ? await messageIn(reply.text) : reply.body;
    expect(content[0].signature).toBe(`cw1.messages-mine.${PROOF}`);
    const call = content.find(({ type }: { type: string }) => type === 'tool_use');
    const turns = [first, assistant(...content), user(result(call.id))];
    await post(MESSAGES, body(mine, ...turns));
    expect(upstream.last.body.messages[1].content[0].signature).toBe(PROOF);
    await post(MESSAGES, body(CLAUDE, ...turns));
    expect(upstream.last.text).not.toContain(PROOF);
    expect(upstream.last.body.messages[1].content).toMatchObject([{ type: 'tool_use' }]);
  });
});

describe('what another vendor ran or found, behind a switch to Claude', () => {
  const { upstream, post } = useScriptedGateway();
  const parts = [
    { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['docks'] } } },
    { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: { found: 3 } } },
    { executableCode: { id: 'run-1', language: 'PYTHON', code: 'print(3)' } },
    { codeExecutionResult: { id: 'run-1', outcome: 'OUTCOME_OK', output: '3' } },
    { text: 'There are 3.' },
  ];
  const groundingMetadata = { groundingChunks: [{ web: { uri: 'https://docks.example' } }] };
  const counts = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

  it('is left out in pairs, and its sources with it', async () => {
    upstream.replies(200, {
      candidates: [{ content: { parts }, finishReason: 'STOP', index: 0, groundingMetadata }],
      usageMetadata: counts,
    });
    const first = user(text('How many?'));
    const { body } = await post(MESSAGES, ask(GEMINI, { messages: [first] })).expect(200);
    expect(body.content.map(({ type }: { type: string }) => type)).toEqual([
      'server_tool_use',
      'google_search_web_tool_result',
      'server_tool_use',
      'code_execution_tool_result',
      'text',
    ]);
    expect(body.content[4].citations).toHaveLength(1);
    const messages = [first, assistant(...body.content), user(text('Sure?'))];
    upstream.replies(200, { content: [text('Yes')], usage: { input_tokens: 1, output_tokens: 1 } });
    await post(MESSAGES, ask(CLAUDE, { messages })).expect(200);
    const sent = [first, assistant(text('There are 3.')), user(text('Sure?'))];
    expect(upstream.last.body.messages).toEqual(sent);
  });
});

describe('what only one model would take back, behind a switch to another', () => {
  const scripted = new ScriptedUpstream();
  const { upstream } = scripted;
  const { post } = useGatewayBefore(
    (url) => ({
      ...scripted.settings,
      ...{ MISTRAL_API_KEY: 'upstream-mistral-key', MISTRAL_BASE_URL: `${url}/mistral/v1` },
    }),
    upstream,
  );
  const asked = { role: 'user', content: 'Hi' };

  it('a chat with developers, as OpenAI’s SDK keeps it, goes to Mistral in its own words', async () => {
    const call = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    });
    const openais = { refusal: null, annotations: [] };
    upstream.replies(200, { choices: [{ message: { role: 'assistant', content: 'Yes' } }] });
    await post('/v3/chat/completions', {
      model: 'mistral/mistral-large-latest',
      messages: [
        { role: 'developer', content: 'Be kind' },
        asked,
        { role: 'assistant', content: null, ...openais, tool_calls: [call('call_62136357')] },
        { role: 'tool', tool_call_id: 'call_62136357', content: 'ok' },
        { role: 'assistant', content: 'Done', ...openais },
        asked,
        { role: 'assistant', content: '', ...openais },
        asked,
      ],
    }).expect(200);
    const id = expect.stringMatching(/^[a-z\d]{9}$/);
    expect(upstream.last.body.messages).toEqual([
      { role: 'system', content: 'Be kind' },
      asked,
      { role: 'assistant', content: null, tool_calls: [{ ...call(''), id }] },
      { role: 'tool', tool_call_id: id, content: 'ok' },
      { role: 'assistant', content: 'Done' },
      asked,
      asked,
    ]);
  });

  it('Mistral’s thinking goes back to its models that reason, and not to others', async () => {
    const thought = { type: 'thinking', thinking: [text('Hm')] };
    const thinks = { role: 'assistant', content: [thought, text('Yes')] };
    upstream.replies(200, { choices: [{ message: thinks }] });
    const messages = [user(text('Hi'))];
    const reasoner = 'mistral/magistral-medium-latest';
    const { body } = await post(MESSAGES, ask(reasoner, { messages })).expect(200);
    const later = [...messages, assistant(...body.content), user(text('Sure?'))];
    for (const [model, content] of [
      [reasoner, thinks.content],
      ['mistral/devstral-2512', [text('Yes')]],
    ] as const) {
      const chat = { model, messages: [asked, thinks, asked] };
      await post('/v3/chat/completions', chat).expect(200);
      expect(upstream.last.body.messages[1].content).toEqual(content);
      await post(MESSAGES, ask(model, { messages: later })).expect(200);
      const isOne = content.length === 1;
      expect(upstream.last.body.messages[1].content).toEqual(isOne ? 'Yes' : content);
    }
  });

  it.each([CLAUDE, NOVA])('blank texts and answers of nothing do not go to %s', async (model) => {
    const blank = text('\n\n');
    const messages = [
      user(text('Read')),
      assistant(blank, use('a')),
      user(result('a')),
      assistant(),
      user(text('Well?')),
    ];
    upstream.replies(200, {
      ...{ content: [text('Yes')], usage: { input_tokens: 1, output_tokens: 1 } },
      ...{ output: { message: { content: [{ text: 'Yes' }] } }, stopReason: 'end_turn' },
    });
    await post(MESSAGES, ask(model, { messages, tools })).expect(200);
    expect(JSON.parse(upstream.last.text).messages[1].content).toHaveLength(1);
    expect(upstream.last.text).not.toContain('\\n');
    expect(upstream.last.text).not.toContain('"content":[]}');
  });
});
