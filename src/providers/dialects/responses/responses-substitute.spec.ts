import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '../../../../test/support/blocks.js';
import { marked } from '../proof-marks.js';
import { suited } from './responses-substitute.js';

const reasoning = { effort: 'high', summary: 'auto' };
const said = { type: 'message', role: 'user', content: 'Hi' };
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
const body = {
  model: 'openai/gpt-5',
  input: [said, thought],
  include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
  text: { format: { type: 'text' }, verbosity: 'low' },
  temperature: 0.5,
  max_output_tokens: 90,
  reasoning,
};
const served = (id: string, supports_reasoning?: boolean) => ({
  id,
  provider: id.split('/', 1)[0]!,
  capabilities: supports_reasoning === undefined ? {} : { supports_reasoning },
});

describe('a relayed request of Responses', () => {
  it.each([true, undefined])('is as it came for the model that was named: %s', (reasons) => {
    expect(suited(body, served('openai/gpt-5', reasons))).toBe(body);
  });

  it('samples no other model that reasons', () => {
    const { temperature: _, ...rest } = body;
    const wanted = suited(body, served('openai/o3', true));
    expect(wanted).toEqual(rest);
    expect(wanted.input).toBe(body.input);
  });

  it('has no reasoning for another model that does not', () => {
    expect(JSON.parse(JSON.stringify(suited(body, served('openai/gpt-4o'))))).toEqual({
      model: 'openai/gpt-5',
      input: [said],
      include: ['message.output_text.logprobs'],
      text: { format: { type: 'text' } },
      temperature: 0.5,
      max_output_tokens: 90,
    });
  });

  it.each([
    ['azure-openai/gpt-5', 'openai/gpt-5', [said]],
    ['openai/gpt-5', 'azure-openai/gpt-5', [said]],
    ['openai/gpt-5', 'openai/gpt-5-mini', [said, thought]],
    ['anthropic/claude-opus-4-8', 'openai/gpt-5', [said, thought]],
    ['@router', 'openai/gpt-5', [said, thought]],
  ])('shows what %s has encrypted to %s only where it can be read', (model, other, input) => {
    expect(suited({ ...body, model }, served(other, true)).input).toEqual(input);
  });

  it.each([
    ['flex', 'flex'],
    ['on_demand', undefined],
  ])('asks for the tier %s only where OpenAI has it', (service_tier, wanted) => {
    const asked = { ...body, model: 'groq/openai/gpt-oss-120b', service_tier };
    expect(suited(asked, served('openai/gpt-5', true)).service_tier).toBe(wanted);
    expect(suited(asked, served('openai/gpt-4o')).service_tier).toBe(wanted);
  });

  it('keeps what is marked with who has encrypted it', () => {
    const known = { ...thought, encrypted_content: marked('openai', 'x') };
    const asked = { ...body, model: 'azure-openai/gpt-5', input: [said, known] };
    expect(suited(asked, served('openai/gpt-5', true)).input).toEqual([said, known]);
  });

  it('refuses a history that only its own provider can decrypt', () => {
    const input = [{ type: 'compaction', encrypted_content: 'x' }, said];
    const asked = { ...body, model: 'azure-openai/gpt-5', input };
    const refused = refusalOf(() => suited(asked, served('openai/gpt-5', true)));
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('input[0]')]);
  });

  it.each([
    [9, 16],
    [16, 16],
    [null, null],
  ])('bounds an answer to no less than OpenAI takes: %s', (max_output_tokens, bound) => {
    const asked = { ...body, model: 'anthropic/claude-opus-4-8', max_output_tokens };
    for (const reasons of [true, undefined]) {
      expect(suited(asked, served('openai/gpt-5', reasons)).max_output_tokens).toBe(bound);
    }
    expect(
      suited({ ...body, max_output_tokens: 9 }, served('openai/gpt-5')).max_output_tokens,
    ).toBe(9);
  });

  it('has ids of calls that OpenAI takes, alike in call and result', () => {
    const call_id = `call_${'x'.repeat(80)}`;
    const items = [
      { type: 'function_call', call_id, name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id, output: 'ok' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'f', input: '' },
    ];
    const asked = { ...body, model: 'anthropic/claude-opus-4-8', input: items };
    for (const reasons of [true, undefined]) {
      const input = suited(asked, served('openai/gpt-5', reasons)).input as typeof items;
      expect(input).toEqual([
        { ...items[0], call_id: expect.stringMatching(/^call_x{51}_\w{7}$/) },
        { ...items[1], call_id: input[0]!.call_id },
        items[2],
      ]);
    }
    expect(suited(asked, served('anthropic/claude-opus-4-8'))).toBe(asked);
  });

  it('has no two calls of one id, and each has its outputs', () => {
    const call = (call_id: string) => ({
      type: 'function_call',
      call_id,
      name: 'f',
      arguments: '{}',
    });
    const output = (call_id: string, said: string) => ({
      type: 'function_call_output',
      call_id,
      output: said,
    });
    const shell = (call_id: string, id: string) => [
      { type: 'local_shell_call', call_id, action: { type: 'exec', command: ['ls'] } },
      { type: 'local_shell_call_output', id, output: 'ok' },
    ];
    const items = (...[a, b, c, d, e]: string[]) => [
      said,
      call(a!),
      thought,
      call(b!),
      output(a!, '1'),
      output(b!, '2'),
      call(c!),
      said,
      call(d!),
      output(d!, '4'),
      ...shell(e!, e!),
      null,
    ];
    const input = items('f', 'f', 'f', 'f', 'f');
    const asked = { ...body, input };
    const own = items('f', 'f_2', 'f_3', 'f_4', 'f_5');
    expect(suited(asked, served('openai/gpt-5-mini', true)).input).toEqual(own);
    expect(suited(asked, served('openai/gpt-5', true))).toBe(asked);
    const empty = { ...body, input: items('', '', 'call', 'f', 'f_2') };
    expect(suited(empty, served('openai/gpt-5-mini', true)).input).toEqual(
      items('call', 'call_2', 'call_3', 'f', 'f_2'),
    );
  });

  it('gets no fields that it did not have', () => {
    const bare = { model: 'openai/gpt-5', input: 'Hi' };
    for (const reasons of [true, undefined]) {
      expect(Object.keys(suited(bare, served('openai/gpt-4o', reasons)))).toEqual(
        Object.keys(bare),
      );
    }
  });
});
