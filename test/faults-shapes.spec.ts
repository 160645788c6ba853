import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../src/contract/gateway-error.js';
import { type Model } from '../src/contract/model.js';
import { PROVIDERS } from '../src/providers/providers.js';

/** What may stand where something else is expected; undefined for nothing at all. */
const ODD = [null, 1, 'x', [], [null], {}, undefined] as const;

const usage = { prompt_tokens: 1, input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const call = { id: 'c', type: 'function', function: { name: 't', arguments: '{}' } };
/** The answers of each wire format, with all that codecs look into. */
const ANSWERS: readonly object[] = [
  { choices: [{ message: { content: 'x', tool_calls: [call] }, finish_reason: 'stop' }], usage },
  { content: [{ type: 'text', text: 'x' }], usage },
  { candidates: [{ content: { parts: [{ text: 'x' }, { functionCall: { name: 't' } }] } }], usage },
  { output: { message: { content: [{ text: 'x' }, { toolUse: { name: 't' } }] } }, usage },
  { message: { content: [{ type: 'text', text: 'x' }], tool_calls: [call] }, usage },
  { output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }], usage },
  { data: [{ index: 0, embedding: [0.1], b64_json: 'AAAA', url: 'https://x/y' }], usage },
  { predictions: [{ bytesBase64Encoded: 'AAAA', embeddings: { values: [0.1] } }] },
  { embeddings: [{ values: [0.1] }], images: [{ url: 'https://x/y' }], output: ['https://x/y'] },
  { embeddings: { float: [[0.1]] }, image: 'AAAA', status: 'Ready', result: { sample: 'x' } },
  { error: { message: 'x', type: 'y', code: 'z' }, detail: [{ msg: 'x' }] },
];

/** The answer with each of its values, at any depth, made odd. */
function* damaged(value: unknown): Generator<unknown> {
  yield* ODD;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    for (const odd of damaged(member)) {
      yield Array.isArray(value) ? value.with(Number(key), odd) : { ...value, [key]: odd };
    }
  }
}

const texts = ANSWERS.flatMap((answer) => [...damaged(answer)].map((each) => JSON.stringify(each)));
const bodies = [...new Set([...texts.filter(Boolean), 'data: {"a', 'data: null', '{"a', ''])];

const model = { id: 'p/m', name: 'm', provider: 'p', pricing: {}, capabilities: {} };
const request = { model: 'p/m', prompt: 'x', input: ['x'], texts: ['x'], n: 1, messages: [] };
const context: any = {
  ...{ request, body: request, model: model as unknown as Model, place: {}, headers: {} },
  ...{ stream: false, inputEstimate: 1, id: 'req', created: 1 },
};
const reply = (text: string) => ({
  ...{ status: 200, headers: {}, bytes: Buffer.from(text) },
  json: () => JSON.parse(text) as unknown,
});

/** What reads an answer of a provider's, and what for. */
type Reader = readonly [string, (text: string) => unknown];

function readersOf(endpoint: string, { codec, relay }: any): Reader[] {
  return [
    ...(codec ? [[endpoint, (text: string) => codec.decode([reply(text)], context)] as const] : []),
    ...(relay
      ? [[endpoint, (text: string) => relay.reply(Buffer.from(text), context)] as const]
      : []),
  ];
}

const READERS = PROVIDERS.map((provider): [string, Reader[]] => {
  const errors: Reader = ['errors', (text) => provider.decodeError(reply(text))];
  const dialects = Object.entries(provider.endpoints);
  return [
    provider.name,
    [errors, ...dialects.flatMap(([name, each]) => each.flatMap((one) => readersOf(name, one)))],
  ];
});

describe('UF-10 An answer of any shape', () => {
  it.each(READERS)('is understood or refused, and never an accident (%s)', (_, readers) => {
    const accidents: string[] = [];
    for (const [name, read] of readers) {
      for (const text of bodies) {
        try {
          read(text);
        } catch (error) {
          if (!(error instanceof GatewayError)) accidents.push(`${name} ${text}: ${String(error)}`);
        }
      }
    }
    expect(accidents.slice(0, 5)).toEqual([]);
  });
});
