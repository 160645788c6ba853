import { describe, expect, it } from '@jest/globals';
import { bodyCheck } from '../../http/body-check.js';
import { parameterError } from '../../http/parameter-error.js';
import { CreateEmbeddingsBody } from './create-embeddings-body.dto.js';

const { check } = bodyCheck(CreateEmbeddingsBody, { embeddingsMaxInputs: 4 });

/** The 400 of a body: its code, its param and its message. */
function refused(body: unknown): readonly [string, string | undefined, string] | undefined {
  const [first] = check(body).problems;
  if (!first) return undefined;
  const error = parameterError(first);
  expect(error.status).toBe(400);
  return [error.code, error.details.param, error.message];
}

describe('CreateEmbeddingsBody', () => {
  it.each([
    ['text'],
    [['a', 'b']],
    [[1, 2, 3]],
    [[1, 2, 3, 4, 5, 6]],
    [[[1], [2, 3]]],
    [['a', 'b', 'c', 'd']],
    [' '],
    ['\ud800'],
  ])('takes the input %j', (input) => {
    expect(refused({ model: 'a/b', input })).toBeUndefined();
  });

  it('refuses a list of more tokens than any model reads, and looks at none of them', () => {
    const tokens = Array<number>(262_145).fill(1.5);
    const most = 'expected an array with at most 262144 items, but got one with 262145 instead.';
    const refusal = (name: string) => ['invalid_value', 'input', `Invalid '${name}': ${most}`];
    expect(refused({ model: 'a/b', input: tokens })).toEqual(refusal('input'));
    const [code, , message] = refused({ model: 'a/b', input: [[1], tokens] }) ?? [];
    expect([code, 'input', message]).toEqual(refusal('input[1]'));
    expect(refused({ model: 'a/b', input: tokens.slice(1).fill(1) })).toBeUndefined();
  });

  it.each([
    [undefined, 'missing_required_parameter', "Missing required parameter: 'input'."],
    ['', 'invalid_value', "Invalid 'input': expected a non-empty string."],
    [[], 'invalid_value', "Invalid 'input': expected a non-empty array."],
    [[''], 'invalid_value', "Invalid 'input[0]': expected a non-empty string."],
    [['a', ''], 'invalid_value', "Invalid 'input[1]': expected a non-empty string."],
    [
      ['a', 1],
      'invalid_type',
      "Invalid type for 'input[1]': expected a string, but got an integer instead.",
    ],
    [
      [1, 'a'],
      'invalid_type',
      "Invalid type for 'input[1]': expected an integer, but got a string instead.",
    ],
    [
      [1.5],
      'invalid_type',
      "Invalid type for 'input[0]': expected an integer, but got a decimal number instead.",
    ],
    [[-1], 'invalid_value', "Invalid 'input[0]': expected a value >= 0, but got -1 instead."],
    [[1e300], 'invalid_value', "Invalid 'input[0]': the number is too large."],
    [[[]], 'invalid_value', "Invalid 'input[0]': expected a non-empty array."],
    [
      [[1], ['a']],
      'invalid_type',
      "Invalid type for 'input[1][0]': expected an integer, but got a string instead.",
    ],
    [
      ['a', 'b', 'c', 'd', 'e'],
      'invalid_value',
      "Invalid 'input': expected an array with at most 4 items, but got one with 5 instead.",
    ],
    ...([null, 5, true, {}, [true], [null], [['a']], [{}]] as unknown[]).map(
      (input) =>
        [
          input,
          'invalid_type',
          expect.stringContaining(
            "Invalid type for 'input': expected a string, an array of strings, an array of integers or an array of arrays of integers, but got ",
          ),
        ] as const,
    ),
  ])('refuses the input %j', (input, code, message) => {
    const body = input === undefined ? { model: 'a/b' } : { model: 'a/b', input };
    expect(refused(body)).toEqual([code, 'input', message]);
  });

  it.each([
    ['model', undefined, 'missing_required_parameter'],
    ['model', null, 'invalid_type'],
    ['model', ['a/b'], 'invalid_type'],
    ['model', '@router', 'invalid_value'],
    ['model', '', 'invalid_value'],
    ['model', 'a', 'invalid_value'],
    ['model', '/b', 'invalid_value'],
    ['model', 'a/', 'invalid_value'],
    ['encoding_format', 'int8', 'invalid_value'],
    ['encoding_format', 1, 'invalid_value'],
    ['dimensions', 0, 'invalid_value'],
    ['dimensions', -1, 'invalid_value'],
    ['dimensions', 1.5, 'invalid_type'],
    ['dimensions', '1', 'invalid_type'],
    ['dimensions', true, 'invalid_type'],
    ['dimensions', 1e308, 'invalid_value'],
    ['dimensions', Infinity, 'invalid_value'],
    ['user', 5, 'invalid_type'],
    ['metadata', [], 'invalid_type'],
    ['extra_headers', 'x', 'invalid_type'],
    ['extra_headers', { a: 1 }, 'invalid_type', 'extra_headers.a'],
    ['fallbacks', ['a/b'], 'unsupported_parameter'],
    ['fallbacks', [], 'unsupported_parameter'],
    ['fallbacks', false, 'unsupported_parameter'],
    ['router_candidates', 'x', 'unsupported_parameter'],
  ])('refuses %s %j', (field, value, code, param: string = field) => {
    const body: Record<string, unknown> = { model: 'a/b', input: 'x', [field]: value };
    if (value === undefined) Reflect.deleteProperty(body, field);
    expect(refused(body)?.slice(0, 2)).toEqual([code, param]);
  });

  it('drops null where a field may be left out, and coerces nothing', () => {
    const body = {
      model: 'amazon/a:0/b',
      input: 'x',
      user: null,
      dimensions: null,
      zz: null,
      fallbacks: null,
    };
    expect(check(body)).toEqual({
      problems: [],
      edits: new Map([
        ['dimensions', undefined],
        ['user', undefined],
        ['fallbacks', undefined],
      ]),
    });
    expect(body).toEqual({ model: 'amazon/a:0/b', input: 'x', zz: null });
  });

  it.each([[[]], ['x'], [5], [null]])('refuses %j as a whole body', (body) => {
    expect(refused(body)?.[0]).toBe('invalid_type');
    expect(refused(body)?.[1]).toBeUndefined();
  });
});
