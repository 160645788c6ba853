import { describe, expect, it } from '@jest/globals';
import {
  ask,
  assistant,
  CLAUDE,
  EVERY,
  GEMINI,
  messageIn,
  NOVA,
  result,
  text,
  tool,
  use,
  user,
} from './support/lessons.js';
import { geminiWire } from './support/scripted-upstream-gemini.js';
import { useScriptedGateway } from './support/scripted-upstream.js';
import { PROOF, type Said } from './support/scripted-upstream-wire.js';

const MESSAGES = '/v3/v1/messages';
const stream = true;
const tools = [tool('read')];
/** The models whose providers sign their thinking. */
const SIGNERS = EVERY.filter(([, model]) => [CLAUDE, GEMINI, NOVA].includes(model as never));

describe('what users of other gateways found wrong with proofs of thinking', () => {
  const { scripted, upstream, post } = useScriptedGateway();
  const thinks: readonly Said[] = [
    { thinking: 'Let me look.' },
    { tool: 'read', input: { path: '/a' } },
  ];
  const thinking = { type: 'adaptive' };

  /** What a model thinks and calls, with the result of the call: a conversation to go on with. */
  async function begun(model: string) {
    scripted.plays(thinks);
    const first = user(text('Read'));
    const body = ask(model, { messages: [first], tools, thinking, stream });
    const { content } = await messageIn((await post(MESSAGES, body).expect(200)).text);
    const call = content.find(({ type }) => type === 'tool_use')!;
    return [first, assistant(...content), user(result(call.id as string, 'the text'))];
  }

  const goOn = (model: string, messages: object[], more: object = {}) => {
    scripted.plays([{ text: 'Done' }]);
    return post(MESSAGES, ask(model, { messages, tools, thinking, stream, ...more }));
  };

  it.each(SIGNERS)(
    'alphaXiv/agents#61: a proof goes to its issuer alone (%s)',
    async (_, model) => {
      const messages = await begun(model);
      expect(JSON.stringify(messages)).toContain(PROOF);
      for (const [, other] of EVERY) {
        await goOn(other, messages).expect(200);
        expect([other, upstream.last.text.includes(PROOF)]).toEqual([other, other === model]);
        expect(upstream.last.text).toContain('the text');
      }
    },
  );

  it.each(EVERY.filter(([, model]) => model !== CLAUDE))(
    'ding113/claude-code-hub#518: a signature is invalid behind a switch of providers (%s)',
    async (_, model) => {
      const messages = await begun(model);
      await goOn(CLAUDE, messages).expect(200);
      const { messages: sent } = upstream.last.body;
      const kept = sent[1].content.map(({ type }: { type: string }) => type);
      expect(kept).not.toContain('thinking');
      expect(kept).toContain('tool_use');
      expect(upstream.last.text).not.toContain('cw1.');
    },
  );

  it('anomalyco/opencode#6176: a client gives back what it got, and it is refused', async () => {
    const messages = await begun(CLAUDE);
    await goOn(CLAUDE, messages).expect(200);
    expect(upstream.last.body.messages).toEqual(messages);
    const [, { content }] = messages as [unknown, { content: { signature?: string }[] }];
    expect(content[0]!.signature).toBe(PROOF);
  });

  it.each([
    ['nguyenphutrong/quotio#218', 'messages.1.content.0: Invalid `signature` in `thinking` block'],
    ['sifxprime/krouter#17', 'messages.1.content.0.thinking.signature: Field required'],
  ])('%s: the words on which a client sends the turn again are lost', async (_, message) => {
    const messages = await begun(CLAUDE);
    scripted.fails(400, message);
    const before = upstream.received.length;
    const { body } = await goOn(CLAUDE, messages).expect(400);
    scripted.fails(undefined);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', message });
    expect(upstream.received.length - before).toBeLessThanOrEqual(1);
    // The client leaves the thinking out and tries again.
    const bare = messages.map((turn) => ({
      ...turn,
      content: turn.content.filter(({ type }: { type?: string }) => type !== 'thinking'),
    }));
    await goOn(CLAUDE, bare).expect(200);
  });

  it('lbjlaq/Antigravity-Manager#139 and #498: a call of Gemini’s comes back unsigned', async () => {
    const messages = await begun(GEMINI);
    await goOn(GEMINI, messages).expect(200);
    const signatureOf = () =>
      upstream.last.body.contents[1].parts.find((part: any) => part.functionCall).thoughtSignature;
    expect(signatureOf()).toBe(PROOF);
    // A client that keeps no thinking, and a call that another model made.
    const unsigned = [user(text('Read')), assistant(use('call_a')), user(result('call_a'))];
    await goOn(GEMINI, unsigned).expect(200);
    expect(signatureOf()).toBe('skip_thought_signature_validator');
  });

  it('lbjlaq/Antigravity-Manager#139 and #498: by way of chat completions', async () => {
    scripted.plays(thinks);
    const { input_schema: parameters } = tools[0]!;
    const offered = [{ type: 'function', function: { name: 'read', parameters } }];
    const first = { role: 'user', content: 'Read' };
    const chat = (messages: object[]) =>
      post('/v3/chat/completions', {
        model: GEMINI,
        messages,
        tools: offered,
        reasoning_effort: 'low',
        stream,
      }).expect(200);
    const { text: streamed } = await chat([first]);
    const said = assembledChat(streamed);
    await chat([first, said, { role: 'tool', tool_call_id: said.tool_calls[0].id, content: 'x' }]);
    const [call] = upstream.last.body.contents[1].parts.filter((part: any) => part.functionCall);
    expect(call.thoughtSignature).toBe(PROOF);
  });
});

describe('thinking of another model in a relayed chat', () => {
  const { scripted, upstream, post } = useScriptedGateway();
  const { input_schema: parameters } = tools[0]!;
  const first = { role: 'user', content: 'Read' };
  const chat = (model: string, messages: object[]) =>
    post('/v3/chat/completions', {
      model,
      messages,
      tools: [{ type: 'function', function: { name: 'read', parameters } }],
      reasoning_effort: 'low',
      stream,
    }).expect(200);

  it.each(
    SIGNERS.flatMap(([issuer, model]) => [
      [issuer, model, 'openai/gpt-5.2', undefined],
      [issuer, model, 'deepseek/deepseek-v4-pro', ' '],
    ]),
  )('of %s is not sent on (%s, then %s)', async (_, model, other, instead) => {
    scripted.plays([{ thinking: 'Let me look.' }, { tool: 'read', input: { path: '/a' } }]);
    const said = assembledChat((await chat(model!, [first])).text);
    expect(JSON.stringify(said)).toContain(PROOF);
    const result = { role: 'tool', tool_call_id: said.tool_calls[0].id, content: 'the text' };
    scripted.plays([{ text: 'Done' }]);
    await chat(other!, [first, said, result]);
    const [, sent] = upstream.last.body.messages;
    const { reasoning_content: _text, reasoning_details: _details, ...rest } = said;
    expect(sent).toEqual({ ...rest, ...(instead && { reasoning_content: instead }) });
  });
});

describe('what users of other gateways found wrong with proofs behind a fallback', () => {
  const { upstream, post } = useScriptedGateway();

  it('kaitranntt/ccs#415: a signature is invalid behind a switch of models', async () => {
    upstream.answers((response, { path }) => {
      const isClaude = path.startsWith('/anthropic');
      response.writeHead(isClaude ? 529 : 200, { 'content-type': geminiWire.mediaType });
      for (const piece of geminiWire.stream([{ text: 'Done' }], {})) response.write(piece);
      response.end();
    });
    const thought = { type: 'thinking', thinking: 'Let me look.', signature: PROOF };
    const messages = [
      user(text('Read')),
      assistant(thought, use('call_a')),
      user(result('call_a')),
    ];
    const body = ask(CLAUDE, { messages, tools, stream, fallbacks: [GEMINI] });
    const { text: streamed } = await post(MESSAGES, body).expect(200);
    expect((await messageIn(streamed)).content).toEqual([text('Done')]);
    const [first, second] = upstream.received;
    expect(first!.text).toContain(PROOF);
    expect(second!.text).not.toContain(PROOF);
    expect(second!.text).not.toContain('Let me look.');
  });
});

/** The message that a client keeps of a stream of chunks. */
function assembledChat(streamed: string): Record<string, any> {
  const message: Record<string, any> = { role: 'assistant', content: null };
  const lines = streamed.split('\n').filter((line) => line.startsWith('data: {'));
  for (const line of lines) {
    const { delta = {} } = JSON.parse(line.slice(6)).choices[0] ?? {};
    const { reasoning_details: details, tool_calls: calls = [] } = delta;
    if (details) message.reasoning_details = [...(message.reasoning_details ?? []), ...details];
    for (const { index, function: piece, ...head } of calls) {
      message.tool_calls ??= [];
      const call = (message.tool_calls[index] ??= {
        ...head,
        function: { name: piece.name, arguments: '' },
      });
      call.function.arguments += piece.arguments;
    }
  }
  return message;
}
