import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { messagesCall, replyOf } from '../../../../test/support/translation.js';
import { NO_USAGE } from '../../../contract/usage.js';
import { openaiChatCodec } from './openai-chat-codec.js';

const context = (tools: { name: string }[] = []) => messagesCall({ model: 'openai/gpt-x', tools });
const decode = (body: unknown, tools?: { name: string }[]) =>
  openaiChatCodec.decode([replyOf(JSON.stringify(body))], context(tools));
const answer = (message: object, finish_reason: unknown = 'stop', usage?: object) =>
  decode({
    id: 'chatcmpl-1',
    model: 'gpt-x-2026',
    choices: [{ index: 0, message, finish_reason }],
    usage,
  });
const contentOf = (message: object) => answer(message).result.content;
const call = (name: string, args: unknown, id: unknown = 'c') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

describe('openai chat response', () => {
  it('is a message of the model that was asked, with disjoint token counts', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 12 },
    };
    expect(answer({ role: 'assistant', content: 'Hi' }, 'stop', usage)).toEqual({
      result: {
        id: 'msg_abcdefghijklmnopqrstuvwx',
        type: 'message',
        role: 'assistant',
        model: 'openai/gpt-x',
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: {
          input_tokens: 36,
          output_tokens: 20,
          cache_read_input_tokens: 64,
          cache_creation_input_tokens: 0,
          output_tokens_details: { thinking_tokens: 12 },
        },
      },
      usage: { ...NO_USAGE, inputTokens: 36, outputTokens: 20, cacheReadTokens: 64 },
    });
  });

  it.each([
    [undefined],
    [{ prompt_tokens: 5 }],
    [{ prompt_tokens: -1, completion_tokens: 2 }],
    [{ prompt_tokens: 1.5, completion_tokens: 2 }],
    [{ prompt_tokens: '5', completion_tokens: 2 }],
  ])('reports no usage for %j, so that the tokens are counted here', (usage) => {
    const { result, usage: used } = answer({ content: 'x' }, 'stop', usage);
    expect(used).toBeUndefined();
    expect(result.usage).toBeUndefined();
  });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['function_call', 'tool_use'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['content_filter', null],
    ['sensitive', null],
    ['constructor', null],
    [null, null],
  ])('ends with %j as %j', (finish, reason) => {
    expect(answer({ content: 'x' }, finish).result.stop_reason).toBe(reason);
  });

  it('ends with tool_use when a forced call ends with stop, which agents wait for', () => {
    const message = { content: null, tool_calls: [call('f', '{}')] };
    expect(answer(message, 'stop').result.stop_reason).toBe('tool_use');
    expect(answer(message, 'length').result.stop_reason).toBe('max_tokens');
  });

  it('names the text that ended it, where the server does and the caller asked for it', () => {
    const choice = { message: { content: 'x' }, finish_reason: 'stop', stop_reason: 'END' };
    const call = { ...context(), request: { model: 'm', messages: [], stop_sequences: ['END'] } };
    const reply = replyOf(JSON.stringify({ choices: [choice] }));
    expect(openaiChatCodec.decode([reply], call).result).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    });
    expect(decode({ choices: [choice] }).result.stop_sequence).toBeNull();
    expect(decode({ choices: [{ ...choice, stop_reason: 154827 }] }).result).toMatchObject({
      stop_reason: 'end_turn',
      stop_sequence: null,
    });
  });

  it('keeps what came before an upstream of the provider failed, and fails where nothing came', () => {
    const error = { code: 502, message: 'upstream said no' };
    const half = { message: { content: 'half' }, finish_reason: null, error };
    expect(decode({ choices: [half] }).result).toMatchObject({
      content: [{ type: 'text', text: 'half' }],
      stop_reason: null,
    });
    const nothing = { message: { content: '' }, finish_reason: null, error };
    expect(() => decode({ choices: [nothing] })).toThrow('upstream said no');
  });

  it('holds thinking, text, refusal and calls in this order, and no empty block', () => {
    const tool_calls = [call('f', '{"a":{"b":[1]}}', 'c1'), call('g', '', 'c2')];
    expect(
      contentOf({ reasoning_content: 'hm', content: 'so', refusal: 'no', tool_calls }),
    ).toEqual([
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'text', text: 'so' },
      { type: 'text', text: 'no' },
      { type: 'tool_use', id: 'c1', name: 'f', input: { a: { b: [1] } } },
      { type: 'tool_use', id: 'c2', name: 'g', input: {} },
    ]);
    expect(contentOf({ content: '', reasoning: '', refusal: null, tool_calls: [] })).toEqual([]);
    expect(contentOf({ content: 'x', reasoning_content: '', reasoning: 'r' })[0]?.thinking).toBe(
      'r',
    );
  });

  it('reads content in parts', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
    expect(contentOf({ content: [thinking, { type: 'text', text: 'so' }, null] })).toEqual([
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'text', text: 'so' },
    ]);
  });

  it.each([
    ['{"a":1', { INVALID_JSON: '{"a":1' }],
    ['[1]', { INVALID_JSON: '[1]' }],
    ['"x"', { INVALID_JSON: '"x"' }],
    [' ', {}],
    [null, {}],
    [{ a: 1 }, { a: 1 }],
    [[1], { INVALID_JSON: '[1]' }],
  ])('loses nothing of the arguments %j', (args, input) => {
    expect(contentOf({ tool_calls: [call('f', args)] })[0]?.input).toEqual(input);
  });

  it('takes no arguments apart that are more than a body may have', () => {
    const args = `{${'"a":1,'.repeat(20_000)}"b":2}`;
    expect(contentOf({ tool_calls: [call('f', args)] })[0]?.input).toEqual({ INVALID_JSON: args });
  });

  it('makes ids where the provider sent none or one twice, short enough to come back', () => {
    const calls = [call('f', '{}', 'c'), call('f', '{}', 'c'), call('f', '{}', null)];
    const ids = contentOf({ tool_calls: calls }).map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(3);
    expect(ids.map((id) => id.length <= 40)).toEqual([true, true, true]);
    expect(contentOf({ tool_calls: calls }).map(({ id }) => id)).toEqual(ids);
  });

  it('calls the caller’s tools by the names that the caller gave them', () => {
    const name = 'mcp.server/tool';
    const [sent] = openaiChatCodec.encode(context([{ name }]));
    const { tools } = (
      sent?.body as unknown as { json: { tools: { function: { name: string } }[] } }
    ).json;
    const message = {
      tool_calls: [call(tools[0]!.function.name, '{}'), call('other', '{}', 'd')],
    };
    const body = { choices: [{ message, finish_reason: 'tool_calls' }] };
    expect(decode(body, [{ name }]).result.content.map((block) => block.name)).toEqual([
      name,
      'other',
    ]);
  });

  it.each(['content_filter', 'sensitive'])(
    'takes a filtered answer without a message (%s)',
    (by) => {
      const { result } = decode({ choices: [{ finish_reason: by }] });
      const stop_details = { type: 'refusal' };
      expect(result).toMatchObject({ content: [], stop_reason: null, stop_details });
    },
  );

  it.each(['error', 'insufficient_system_resource', 'network_error'])(
    'is no answer where nothing was said before the provider failed (%s)',
    (reason) => {
      expect(() => answer({ content: '' }, reason)).toThrow('The provider broke off its answer.');
      expect(answer({ content: 'x' }, reason).result.stop_reason).toBeNull();
    },
  );

  it.each([
    ['no JSON', '<html>'],
    ['null', 'null'],
    ['no choices', '{"choices":[]}'],
    ['choices of another kind', '{"choices":7}'],
    ['no message', '{"choices":[{"finish_reason":"stop"}]}'],
    ['a message of another kind', '{"choices":[{"message":"x","finish_reason":"stop"}]}'],
    ['a null message', '{"choices":[{"message":null,"finish_reason":"stop"}]}'],
    ['a call without a name', '{"choices":[{"message":{"tool_calls":[{"id":"c"}]}}]}'],
  ])('fails with 502 on %s', (_what, text) => {
    expect(() => openaiChatCodec.decode([replyOf(text)], context())).toThrow(
      expect.objectContaining({
        status: 502,
        code: 'upstream_error',
        details: { upstream: { status: 200 } },
      }),
    );
  });

  it('passes on what an error that came with status 200 says', () => {
    expect(() => decode({ error: { message: 'out of capacity' } })).toThrow('out of capacity');
  });
});

const RECORDED = globSync('../shared/fixtures/recorded/openai/chat/*.json');
(existsSync('../shared/fixtures/recorded') ? describe : describe.skip)(
  'openai chat response: recorded answers (skipped without ../shared)',
  () => {
    const answers = RECORDED.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Recorded)
      .filter(({ response }) => response.body?.choices)
      .map(({ id, response }) => [id, response.body!] as const);

    it.each(answers)('%s', (_id, body) => {
      const { result, usage } = decode(body);
      const { message, finish_reason } = body.choices[0]!;
      const legacy = message.function_call ? [{ function: message.function_call }] : [];
      const calls = [...(message.tool_calls ?? []), ...legacy];
      const texts = result.content.filter(({ type }) => type === 'text').map(({ text }) => text);
      expect(texts.join('')).toBe(`${message.content ?? ''}${message.refusal ?? ''}`);
      const uses = result.content.filter(({ type }) => type === 'tool_use');
      expect(uses.map(({ name }) => name)).toEqual(calls.map((made) => made.function.name));
      expect(uses.map(({ input }) => input)).toEqual(
        calls.map((made) => inputOf(made.function.arguments)),
      );
      expect(result.stop_reason).toBe(
        calls.length > 0 && finish_reason !== 'length' ? 'tool_use' : REASONS[finish_reason],
      );
      const cached = body.usage?.prompt_tokens_details?.cached_tokens ?? 0;
      const prompt = body.usage && body.usage.prompt_tokens - cached;
      expect(usage?.inputTokens).toBe(prompt);
      expect(usage?.cacheReadTokens ?? 0).toBe(cached);
      expect(usage?.outputTokens).toBe(body.usage?.completion_tokens);
    });
  },
);

/** One recording was cut off by its limit in the middle of the arguments. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return { INVALID_JSON: text };
  }
}

const REASONS: Record<string, string> = { stop: 'end_turn', length: 'max_tokens' };

interface Recorded {
  id: string;
  response: {
    body?: {
      choices: {
        message: {
          content?: string | null;
          refusal?: string | null;
          tool_calls?: { function: { name: string; arguments: string } }[];
          function_call?: { name: string; arguments: string };
        };
        finish_reason: string;
      }[];
      usage?: {
        prompt_tokens: number;
        completion_tokens: number;
        prompt_tokens_details?: { cached_tokens?: number };
      };
    };
  };
}
