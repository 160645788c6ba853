import { createHash } from 'node:crypto';
import { type Fields, isText, listOf } from '../json/values.js';
import { type SandboxEndpoint } from './answer.js';
import { Refusal } from './refusal.js';
import { countTokens } from './tokens.js';

const MODEL = 'embedding';
const DIMENSIONS = 256;
/** For a live model's name, whose own length of vectors is not known here. */
const MOST_DIMENSIONS = 4096;
const MOST_INPUTS = 2048;
const HALF_RANGE = 2 ** 31;
/** UTF-16 units: about what takes half a millisecond. */
const LEAST_PIECE = 32_768;

/** OpenAI's embeddings. https://platform.openai.com/docs/api-reference/embeddings */
export const embeddings: SandboxEndpoint = ({ body }) => {
  const inputs = inputsOf(body);
  const dimensions = dimensionsOf(body);
  const write = encoderOf(body);
  const tokens = inputs.reduce((sum, input) => sum + tokensOf(input), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const end = JSON.stringify({ model: body.model, usage }).slice(1);
  const embed = (input: Input) => write(vectorOf(input, dimensions));
  return { pieces: piecesOf(inputs, embed, end) };
};

type Input = string | readonly number[];

/** The answer with one vector a piece, or some short ones; `end` is what comes behind the list. */
function* piecesOf(
  inputs: readonly Input[],
  embed: (input: Input) => unknown,
  end: string,
): Generator<string> {
  let text = '{"object":"list","data":[';
  for (const [index, input] of inputs.entries()) {
    const item = { object: 'embedding', index, embedding: embed(input) };
    text += `${index === 0 ? '' : ','}${JSON.stringify(item)}`;
    if (text.length < LEAST_PIECE) continue;
    yield text;
    text = '';
  }
  yield `${text}],${end}`;
}

/** A direction drawn from the input's hash; a shorter vector is the beginning of the longer one. */
function vectorOf(input: Input, dimensions: number): Float32Array {
  const hash = createHash('shake256', { outputLength: dimensions * 4 });
  const bytes = hash.update(typeof input === 'string' ? `t${input}` : `n${input.join()}`).digest();
  const raw = new Float64Array(dimensions);
  for (let at = 0; at < dimensions; at++) raw[at] = bytes.readInt32LE(at * 4) / HALF_RANGE;
  const length = Math.sqrt(raw.reduce((sum, component) => sum + component * component, 0));
  return new Float32Array(raw.map((component) => component / length));
}

function inputsOf({ input }: Fields): readonly Input[] {
  if (isText(input) || isTokens(input)) return [input];
  const inputs = listOf(input);
  if (inputs.length > MOST_INPUTS) throw refuse('input', `at most ${MOST_INPUTS} items`);
  if (inputs.length > 0 && (inputs.every(isText) || inputs.every(isTokens))) return inputs;
  throw refuse('input', 'a text, a list of texts, or lists of tokens');
}

function isTokens(value: unknown): value is readonly number[] {
  const isToken = (item: unknown) => Number.isInteger(item) && (item as number) >= 0;
  return Array.isArray(value) && value.length > 0 && value.every(isToken);
}

function dimensionsOf({ model, dimensions }: Fields): number {
  if (dimensions === undefined || dimensions === null) return DIMENSIONS;
  const most = model === MODEL ? DIMENSIONS : MOST_DIMENSIONS;
  const isCount = typeof dimensions === 'number' && Number.isInteger(dimensions);
  if (isCount && dimensions >= 1 && dimensions <= most) return dimensions;
  throw refuse('dimensions', `a whole number from 1 to ${most}`);
}

function encoderOf({ encoding_format: format }: Fields): (vector: Float32Array) => unknown {
  if (format === 'base64') return base64;
  if (format === undefined || format === null || format === 'float') return Array.from;
  throw refuse('encoding_format', "'float' or 'base64'");
}

function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((component, at) => bytes.writeFloatLE(component, at * 4));
  return bytes.toString('base64');
}

function tokensOf(input: Input): number {
  return typeof input === 'string' ? countTokens(input) : input.length;
}

function refuse(param: string, expected: string): Refusal {
  return new Refusal(400, `Invalid '${param}': expected ${expected}.`, {
    param,
    code: 'invalid_value',
  });
}
