import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { replyOf } from '../../../../test/support/translation.js';
import { type EmbeddingsRequest } from '../../../contract/embeddings.js';
import { type Model } from '../../../contract/model.js';
import { NO_USAGE } from '../../../contract/usage.js';
import { spliceMembers } from '../../../json/splice.js';
import { type CallContext, type RelayContext } from '../../provider.js';
import { openaiEmbeddings } from './openai-embeddings.js';

const MODEL: Model = {
  id: 'a/b',
  name: 'b',
  provider: 'a',
  endpoints: ['embeddings'],
  created: 0,
  pricing: {},
  listed: true,
  capabilities: { supports_dimensions: true },
};

function callOf(
  request: Partial<EmbeddingsRequest> & Pick<EmbeddingsRequest, 'input'>,
): CallContext<'embeddings'> & RelayContext {
  const body = { ...request, model: MODEL.id };
  const call = { model: MODEL, place: {}, headers: {}, stream: false, created: 0 };
  return { ...call, request: body, body, inputEstimate: 1, id: 'req_1' };
}

/** Two vectors of such lengths. */
const vectors = (...lengths: [number, number]) =>
  lengths.map((length) => Array.from({ length }, (_, at) => at / 7));

const { relay, codec } = openaiEmbeddings({ encodings: ['float', 'base64'] });
const relayed = (text: string, call: RelayContext) => {
  const bytes = Buffer.from(text);
  const read = relay!.reply(bytes, call);
  return read && Buffer.concat(spliceMembers(bytes, read.members!, read.splices)).toString();
};

describe('openaiEmbeddings', () => {
  const usage = { prompt_tokens: 2, total_tokens: 2 };

  it('passes on exactly what its translation would say, whatever the numbers', () => {
    const vectors = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }))
      .chain(([count, length]) => {
        const component = fc
          .float({ noNaN: true, noDefaultInfinity: true })
          // JSON has no negative zero.
          .map((number) => number + 0);
        const vector = fc.array(component, { minLength: length, maxLength: length });
        return fc.array(vector, { minLength: count, maxLength: count });
      });
    fc.assert(
      fc.property(vectors, fc.boolean(), fc.nat(3), (rows, isText, space) => {
        const encode = (row: number[]) =>
          isText ? Buffer.from(Float32Array.from(row).buffer).toString('base64') : row;
        const data = rows.map((row, index) => ({
          object: 'embedding',
          index,
          embedding: encode(row),
        }));
        const text = JSON.stringify({ object: 'list', data, model: 'b', usage }, null, space);
        const encoding_format = isText ? ('base64' as const) : ('float' as const);
        const call = callOf({ input: rows.map(String), encoding_format });
        const translated = codec!.decode([replyOf(text)], call).result.vectors;
        expect(translated.map((vector) => [...vector])).toEqual(rows.map((row) => [...row]));
        const passed = relayed(text, call);
        // A number with a large exponent is looked at closely, which is the translation's work.
        if (passed === undefined) expect(text).toMatch(/e\+/);
        else expect(JSON.parse(passed)).toEqual({ ...JSON.parse(text), model: 'a/b' });
      }),
    );
  });

  it('keeps every byte of the numbers', () => {
    const text =
      '{"data":[{"object":"embedding","index":0,"embedding":[0.10, -1E-2 ,1e-05]}],"usage":{"prompt_tokens":2,"total_tokens":2}}';
    const small = text.replace('1E-2', '1e-2');
    expect(relayed(small, callOf({ input: 'x' }))).toContain('[0.10, -1e-2 ,1e-05]');
  });

  it.each([
    ['another encoding', { encoding_format: 'base64' as const }, [[1]]],
    ['another order', {}, [[1], [2]]],
    ['fewer vectors', { input: ['a', 'b', 'c'] }, [[1], [2]]],
    ['vectors of several lengths', {}, vectors(2, 3)],
    ['vectors without a number', {}, vectors(0, 0)],
    ['long vectors of several lengths', {}, vectors(1_536, 1_535)],
  ])('leaves %s to the translation', (name, fields, rows) => {
    const data = rows.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    if (name === 'another order') data.reverse();
    const call = callOf({ input: rows.map(String), ...fields });
    expect(relayed(JSON.stringify({ data, usage }), call)).toBeUndefined();
  });

  it.each([
    [{ total_tokens: 3 }, { prompt_tokens: 3, total_tokens: 3 }],
    [
      { prompt_tokens: 3, cost: 1 },
      { prompt_tokens: 3, total_tokens: 3, cost: 1 },
    ],
    [
      { prompt_tokens: 3, total_tokens: -3 },
      { prompt_tokens: 3, total_tokens: 3 },
    ],
    [
      { prompt_tokens: 3, total_tokens: 3, image_tokens: -3 },
      { prompt_tokens: 3, total_tokens: 3, image_tokens: 0 },
    ],
  ])('completes the usage %j', (told, whole) => {
    const data = [{ object: 'embedding', index: 0, embedding: [1] }];
    const text = relayed(JSON.stringify({ data, usage: told }), callOf({ input: 'a' }));
    expect(JSON.parse(text!).usage).toEqual(whole);
    const decoded = codec!.decode([replyOf({ data, usage: told })], callOf({ input: 'a' }));
    expect(decoded.usage?.inputTokens).toBe(3);
  });

  it('has our count told where the provider’s is none, and nowhere else', () => {
    const data = [{ object: 'embedding', index: 0, embedding: [1] }];
    const told = (usage: object) =>
      relay!.reply(Buffer.from(JSON.stringify({ data, usage })), callOf({ input: 'a' }));
    expect(told({ prompt_tokens: 3, total_tokens: 3 })?.usageOf).toBeUndefined();
    const wrong = told({ prompt_tokens: -3, total_tokens: -3 });
    expect(wrong?.usage).toBeUndefined();
    expect(wrong?.usageOf?.({ ...NO_USAGE, inputTokens: 5 })).toEqual({
      prompt_tokens: 5,
      total_tokens: 5,
    });
  });

  it.each([
    ['a', 'a'],
    [['a'], ['a']],
    [
      [1, 2],
      [1, 2],
    ],
    [[[1, 2]], [[1, 2]]],
  ])('sends the input %j in the form in which it came', (input, sent) => {
    const [upstreamCall] = codec!.encode(callOf({ input }));
    expect(upstreamCall?.body).toEqual({ json: { model: 'b', input: sent } });
  });

  it('puts what the caller said in the provider’s own words first', () => {
    const dialect = openaiEmbeddings({
      fields: { dimensions: 'output_dimension', user: undefined },
    });
    const call = callOf({ input: 'a', dimensions: 9, output_dimension: 5, user: 'u' });
    expect(dialect.codec!.encode(call)[0]?.body).toEqual({
      json: { model: 'b', input: 'a', output_dimension: 5 },
    });
    expect(dialect.relay!.request(call).edits.get('dimensions')).toBeUndefined();
    expect(dialect.relay!.request(call).edits.has('output_dimension')).toBe(false);
  });

  it('does not ask for base64 of what are no floats', () => {
    const call = callOf({ input: 'a', output_dtype: 'int8', encoding_format: 'base64' });
    expect(relay!.request(call).edits.get('encoding_format')).toBeUndefined();
    expect(relay!.request(call).edits.has('encoding_format')).toBe(true);
  });
});
