import { describe, expect, it } from '@jest/globals';
import { ask, called, chunk, DONE, GEMINI, GPT, messageIn, text, use } from './support/lessons.js';
import { useScriptedGateway } from './support/scripted-upstream.js';

const MESSAGES = '/v3/v1/messages';
const CHAT = '/v3/chat/completions';
const stream = true;

describe('what users of other gateways found translated wrongly, piece by piece', () => {
  const { upstream, post } = useScriptedGateway();
  const ended = async (...pieces: string[]) => {
    upstream.streams(...pieces, DONE);
    const { text: streamed } = await post(MESSAGES, ask(GPT, { stream })).expect(200);
    return messageIn(streamed);
  };

  it('L#25848: empty output where all comes in one chunk', async () => {
    const said = await ended(chunk({ role: 'assistant', content: 'All' }, 'stop'));
    expect(said.content).toEqual([text('All')]);
  });

  it.each(['stop', 'tool_calls'])(
    'B#3638: the stop reason after a text and a call (%s)',
    async (reason) => {
      const said = await ended(
        chunk({ role: 'assistant', content: 'I look.' }),
        chunk(called(0, { id: 'call_a', name: 'read', arguments: '{}' })),
        chunk({}, reason),
      );
      expect(said).toMatchObject({ stop_reason: 'tool_use', content: [{ text: 'I look.' }, {}] });
    },
  );

  it('B#3475: the last brace of a call’s arguments is lost', async () => {
    const args = '{"a":{"b":"}"},"c":[{}]}';
    for (let cut = 0; cut <= args.length; cut++) {
      const said = await ended(
        chunk(called(0, { id: 'call_a', name: 'read', arguments: args.slice(0, cut) })),
        chunk(called(0, { arguments: args.slice(cut) }), 'tool_calls'),
      );
      expect(said.content).toEqual([use('call_a', 'read', JSON.parse(args))]);
    }
  });

  it('B#3441: blocks of parallel calls overlap', async () => {
    const said = await ended(
      chunk(called(0, { id: 'call_a', name: 'read', arguments: '{"path":' })),
      chunk(called(1, { id: 'call_b', name: 'write', arguments: '{"path":' })),
      chunk(called(0, { arguments: '"/a"}' })),
      chunk(called(1, { arguments: '"/b"}' })),
      chunk({}, 'tool_calls'),
    );
    expect(said.content).toEqual([
      use('call_a', 'read', { path: '/a' }),
      use('call_b', 'write', { path: '/b' }),
    ]);
  });

  it('B#985: Claude Code by way of Bedrock', async () => {
    const usage = { input_tokens: 5, output_tokens: 2 };
    const content = [text('Hi')];
    const message = { id: 'msg_bdrk_1', type: 'message', role: 'assistant', model: 'c', content };
    upstream.replies(200, { ...message, stop_reason: 'end_turn', stop_sequence: null, usage });
    const body = ask('bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0', {
      system: [{ ...text('You are an agent.'), cache_control: { type: 'ephemeral' } }],
      context_management: { edits: [] },
    });
    const betas = 'claude-code-20250219,context-management-2025-06-27,made-up-2099-01-01';
    const reply = await post(`${MESSAGES}?beta=true`, body)
      .set('anthropic-beta', betas)
      .expect(200);
    expect(reply.body.content).toEqual(content);
    expect(upstream.last.path).toMatch(/\/model\/[^/]+\/invoke$/);
    const { model: _inThePath, ...fields } = body;
    expect(upstream.last.body).toEqual({
      ...fields,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-management-2025-06-27'],
    });
  });

  it('B#7032: image parts are dropped from chat output', async () => {
    const inlineData = { mimeType: 'image/png', data: 'iVBO' };
    const content = { role: 'model', parts: [{ text: 'A cat:' }, { inlineData }] };
    upstream.replies(200, { candidates: [{ content, finishReason: 'STOP' }] });
    const messages = [{ role: 'user', content: 'Draw a cat' }];
    const { body } = await post(CHAT, { model: GEMINI, messages }).expect(200);
    expect(body.choices[0].message).toMatchObject({
      content: 'A cat:',
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }],
    });
  });
});
