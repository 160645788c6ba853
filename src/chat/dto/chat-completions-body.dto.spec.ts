import { describe, expect, it } from '@jest/globals';
import { bodyCheck } from '../../http/body-check.js';
import { parameterError } from '../../http/parameter-error.js';
import { ChatCompletionsBody } from './chat-completions-body.dto.js';

const { check } = bodyCheck(ChatCompletionsBody, { embeddingsMaxInputs: 1 });
const base = { model: 'a/b', messages: [{ role: 'user', content: 'hi' }] };

function refused(body: unknown): readonly [string, string | undefined] | undefined {
  const [first] = check(body).problems;
  if (!first) return undefined;
  const error = parameterError(first);
  return [error.code, error.details.param];
}

describe('ChatCompletionsBody', () => {
  it.each([
    ['model', 5, 'invalid_type', 'model'],
    ['model', 'gpt-4o', 'invalid_value', 'model'],
    ['messages', null, 'invalid_type', 'messages'],
    ['messages', 'hi', 'invalid_type', 'messages'],
    ['messages', [], 'invalid_value', 'messages'],
    ['messages', [{}, 'hi'], 'invalid_type', 'messages[1]'],
    ['stream', 'true', 'invalid_type', 'stream'],
    ['stream_options', true, 'invalid_type', 'stream_options'],
    ['max_tokens', '5', 'invalid_type', 'max_tokens'],
    ['max_completion_tokens', 0, 'invalid_value', 'max_completion_tokens'],
    ['temperature', 2.1, 'invalid_value', 'temperature'],
    ['temperature', Infinity, 'invalid_value', 'temperature'],
    ['temperature', '1', 'invalid_type', 'temperature'],
    ['top_p', -0.1, 'invalid_value', 'top_p'],
    ['n', 0, 'invalid_value', 'n'],
    ['stop', 5, 'invalid_type', 'stop'],
    ['stop', ['a', 5], 'invalid_type', 'stop'],
    ['tools', {}, 'invalid_type', 'tools'],
    ['tool_choice', 5, 'invalid_type', 'tool_choice'],
    ['response_format', 'json', 'invalid_type', 'response_format'],
    ['user', 5, 'invalid_type', 'user'],
    ['metadata', [], 'invalid_type', 'metadata'],
    ['fallbacks', ['a/b', 'a/b', 'a/b', 'a/b'], 'invalid_value', 'fallbacks'],
    ['fallbacks', [1], 'invalid_type', 'fallbacks[0]'],
    ['router_candidates', 'a/b', 'invalid_type', 'router_candidates'],
    ['extra_headers', { a: 1 }, 'invalid_type', 'extra_headers.a'],
  ])('refuses %s %j', (field, value, code, param) => {
    expect(refused({ ...base, [field]: value })).toEqual([code, param]);
  });

  it.each([
    { model: '@router', router_candidates: [], fallbacks: ['a/b', 'a/b', 'a/b'] },
    { stop: null, stream: null, temperature: null, n: null, tools: null, max_tokens: null },
    { stop: 'x' },
    { stop: [] },
    { tool_choice: 'none' },
    { tool_choice: { type: 'function' } },
    { temperature: 2, top_p: 0, n: 128, max_tokens: 1 },
    {
      functions: 5,
      logit_bias: { 5: 1 },
      seed: -1,
      store: 'x',
      messages: [{ role: 'new', content: null }],
    },
  ])('takes %j', (fields) => {
    expect(refused({ ...base, ...fields })).toBeUndefined();
  });

  it('sends no default and drops the fields of the gateway and nulls', () => {
    const body = { ...base, fallbacks: ['a/b'], stop: null, extra_headers: {}, logprobs: null };
    expect(check(body).edits).toEqual(
      new Map([
        ['stop', undefined],
        ['fallbacks', undefined],
        ['extra_headers', undefined],
      ]),
    );
    expect(body).toEqual({ ...base, fallbacks: ['a/b'], extra_headers: {}, logprobs: null });
  });
});
