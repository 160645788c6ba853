import { describe, expect, it } from '@jest/globals';
import { askedBy, waysOf } from '../../../../test/support/translation.js';
import { type NeutralRequest, type NeutralTurn } from '../../../contract/neutral.js';
import { marked } from '../proof-marks.js';
import { responsesCodec } from './responses-codec.js';

const { sent } = waysOf(responsesCodec);

describe('responses request', () => {
  it('is stateless, and asks reasoning models for reasoning that can come back', () => {
    expect(
      sent({
        model: 'openai/gpt-x',
        reasons: true,
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        ...askedBy('Hi'),
        max_tokens: 500,
        top_k: 5,
        thinking: { type: 'enabled', budget_tokens: 5000 },
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
        metadata: { user_id: 'u'.repeat(100) },
        verbosity: 'low',
        prompt_cache_key: 'k',
        include: ['message.output_text.logprobs'],
      }),
    ).toEqual({
      model: 'gpt-x',
      input: [
        { type: 'message', role: 'system', content: 'Be brief.' },
        { type: 'message', role: 'user', content: 'Hi' },
      ],
      max_output_tokens: 500,
      reasoning: { effort: 'medium', summary: 'auto' },
      text: {
        verbosity: 'low',
        format: {
          type: 'json_schema',
          name: 'response',
          schema: { type: 'object' },
          strict: false,
        },
      },
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
      user: expect.stringMatching(/^u{56}_\w{7}$/),
      prompt_cache_key: 'k',
      store: false,
    });
  });

  it('asks a model that does not reason for none of it', () => {
    const body = sent({ thinking: { type: 'enabled', budget_tokens: 5000 } });
    expect(body).not.toHaveProperty('reasoning');
    expect(body).not.toHaveProperty('include');
  });

  it('asks for no summary where thinking is not to be shown', () => {
    const thinking = { type: 'adaptive', display: 'omitted' };
    const body = sent({ reasons: true, thinking, output_config: { effort: 'max' } });
    expect(body.reasoning).toEqual({ effort: 'high' });
  });

  it.each([
    ['gpt-5-pro', 'low', 'high'],
    ['gpt-5-pro-2025-10-06', 'medium', 'high'],
    ['gpt-5.5-pro', 'low', 'medium'],
    ['gpt-5.5-pro', 'medium', 'medium'],
    ['gpt-5.5-pro', 'max', 'xhigh'],
    ['gpt-5.5', 'low', 'low'],
  ])('asks %s for the effort %s by %s, no less than it knows', (name, effort, told) => {
    expect(
      sent({ reasons: true, model: `openai/${name}`, output_config: { effort } }).reasoning,
    ).toEqual({
      effort: told,
    });
  });

  it.each([
    ['gpt-5', undefined],
    ['gpt-5.1', 'medium'],
    ['gpt-5.4-mini', 'medium'],
    ['gpt-5.4-pro', undefined],
    ['gpt-5.5', undefined],
  ])('asks %s for the effort %s where it is to think as it likes', (name, effort) => {
    const thinking = { type: 'adaptive' };
    const { reasoning } = sent({ reasons: true, model: `openai/${name}`, thinking });
    expect(reasoning).toEqual({ ...(effort && { effort }), summary: 'auto' });
  });

  it.each([
    [{ temperature: 0.5 }, undefined],
    [{ top_p: 0.9 }, undefined],
    [{ temperature: 1, top_p: 1 }, 'medium'],
  ])('beside %j, of which a model refuses some with any effort, asks for %s', (asked, effort) => {
    const thinking = { type: 'adaptive' };
    const { reasoning } = sent({ reasons: true, model: 'openai/gpt-5.1', thinking, ...asked });
    expect(reasoning).toEqual({ ...(effort && { effort }), summary: 'auto' });
  });

  it('raises a limit that OpenAI refuses as too low', () => {
    expect(sent({ max_tokens: 1 }).max_output_tokens).toBe(16);
  });

  it.each([
    ['openai/gpt-5', 'of OpenAI'],
    ['azure-openai/gpt-5', 'of Azure'],
  ])('brings %s the reasoning that it encrypted alone', (model, own) => {
    const proofs = [marked('openai', 'of OpenAI'), marked('azure-openai', 'of Azure')];
    const thoughts = proofs.map((signature) => ({ type: 'thinking', thinking: '', signature }));
    const content = [...thoughts, { type: 'text', text: 'Hi' }];
    const { input } = sent({ model, messages: [{ role: 'assistant', content }] });
    const kept = input.filter(({ type }: { type: string }) => type === 'reasoning');
    expect(kept).toEqual([{ type: 'reasoning', summary: [], encrypted_content: own }]);
  });

  it('keeps the order of reasoning, texts, calls and results', () => {
    const { input } = sent({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: marked('vendor', 'secret') },
            { type: 'redacted_thinking', data: marked('vendor', 'more') },
            { type: 'thinking', thinking: 'of another', signature: 'Anthropic' },
            { type: 'thinking', thinking: 'of another', signature: marked('gemini', 'x') },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'i'.repeat(80), name: 'a tool', input: { a: 1 } },
            { type: 'redacted_thinking', data: marked('vendor', 'cut off') },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and?' },
            {
              type: 'tool_result',
              tool_use_id: 'i'.repeat(80),
              content: [
                { type: 'text', text: 'sun' },
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: 'QQ==' },
                },
              ],
            },
          ],
        },
        { role: 'system', content: 'Be careful.' },
      ],
    });
    const call_id = expect.stringMatching(/^i{56}_\w{7}$/);
    expect(input).toEqual([
      {
        type: 'reasoning',
        encrypted_content: 'secret',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
      },
      { type: 'reasoning', encrypted_content: 'more', summary: [] },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.' }],
      },
      {
        type: 'function_call',
        call_id,
        name: expect.stringMatching(/^a_tool_\w+$/),
        arguments: '{"a":1}',
      },
      {
        type: 'function_call_output',
        call_id,
        output: [
          { type: 'input_text', text: 'sun' },
          { type: 'input_image', image_url: 'data:image/png;base64,QQ==', detail: 'auto' },
        ],
      },
      { type: 'message', role: 'user', content: 'and?' },
      { type: 'message', role: 'system', content: 'Be careful.' },
    ]);
  });

  it('sends files by their bytes and by their address', () => {
    const { input } = sent(
      askedBy([
        {
          type: 'document',
          title: 'Docks',
          source: { type: 'base64', media_type: 'application/pdf', data: 'QQ==' },
        },
        { type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } },
      ]),
    );
    expect(input[0].content).toEqual([
      {
        type: 'input_file',
        filename: 'Docks.pdf',
        file_data: 'data:application/pdf;base64,QQ==',
      },
      { type: 'input_file', file_url: 'https://x.test/a.pdf' },
    ]);
  });

  it('makes no function strict that was not, although OpenAI would', () => {
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    const then = { name: 'then', strict: true };
    const { tools } = sent({
      tools: [{ name: 'now' }, { ...then, input_schema: closed }, { ...then, name: 'later' }],
    });
    expect(tools).toEqual([
      {
        type: 'function',
        name: 'now',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
      {
        type: 'function',
        name: 'then',
        parameters: closed,
        strict: true,
      },
      {
        type: 'function',
        name: 'later',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ]);
  });

  it('has no two calls of one id, and each has its output', () => {
    const round = (...ids: string[]): NeutralTurn[] => [
      {
        role: 'assistant',
        content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
      },
      {
        role: 'user',
        content: ids.map((id, at) => ({ type: 'tool_result', tool_use_id: id, content: `${at}` })),
      },
    ];
    const items = (...ids: string[]) => [
      ...ids.map((call_id) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' })),
      ...ids.map((call_id, at) => ({ type: 'function_call_output', call_id, output: `${at}` })),
    ];
    const { input } = sent({ messages: [...round('f', 'f'), ...round('f', '', '')] });
    expect(input).toEqual([...items('f', 'f_2'), ...items('f_3', 'call', 'call_2')]);
  });

  it.each([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any', disable_parallel_tool_use: true }, 'required'],
    [{ type: 'none' }, 'none'],
    [
      { type: 'tool', name: 'now' },
      { type: 'function', name: 'now' },
    ],
  ])('says the choice %j', (tool_choice, wanted) => {
    const body = sent({ tools: [{ name: 'now' }], tool_choice });
    expect(body.tool_choice).toEqual(wanted);
    expect(body.parallel_tool_calls).toBe(
      'disable_parallel_tool_use' in tool_choice ? false : undefined,
    );
  });

  it.each<[string, Partial<NeutralRequest>]>([
    ['stop_sequences', { stop_sequences: ['END'] }],
    ['thread', { thread: { type: 'create' } }],
    ['tools[0].type', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['messages[0].content[0].source.type', askedBy([{ type: 'image', source: { type: 'file' } }])],
  ])('refuses %s, which OpenAI cannot be told', (param, request) => {
    expect(() => sent(request)).toThrow(
      expect.objectContaining({ status: 400, details: expect.objectContaining({ param }) }),
    );
  });
});
