import { type EmbeddingsRequest } from '../../../contract/embeddings.js';
import { type Model } from '../../../contract/model.js';

/** One input: a text, or the tokens of one. */
export type Input = string | readonly number[];

/** How much a provider takes in one call. A model's own `max_input_items` comes before `items`. */
export interface InputLimits {
  readonly items: number;
  /** Of all inputs together, where the provider bounds that. */
  readonly tokens?: number;
}

/** The inputs of a request: a list of numbers is one input, every other list is several. */
export function inputsOf({ input }: Pick<EmbeddingsRequest, 'input'>): readonly Input[] {
  return typeof input === 'string' || isTokens(input) ? [input] : input;
}

/** Whether the inputs are tokens in place of text. */
export function areTokens(input: unknown): boolean {
  if (!Array.isArray(input)) return false;
  const [first] = input as unknown[];
  return typeof first === 'number' || Array.isArray(first);
}

type Asked = Pick<EmbeddingsRequest, 'input' | 'dimensions'>;

/** The inputs in as many batches as the limits want, in their order. */
export function batchesOf(
  request: Asked,
  model: Model,
  limits: InputLimits,
): readonly (readonly Input[])[] {
  return [...batches(request, model, limits)];
}

/** Whether the limits let all inputs go in one call. */
export function isOneBatch(request: Asked, model: Model, limits: InputLimits): boolean {
  const found = batches(request, model, limits);
  found.next();
  return found.next().done === true;
}

function* batches(request: Asked, model: Model, limits: InputLimits): Generator<readonly Input[]> {
  const inputs = inputsOf(request);
  const most = Math.min(
    model.capabilities.max_input_items ?? limits.items,
    mostInOneReply(request.dimensions ?? model.capabilities.dimensions),
  );
  const mostTokens = limits.tokens ?? Infinity;
  let batch: Input[] = [];
  let tokens = 0;
  for (const input of inputs) {
    const more = mostTokens === Infinity ? 0 : tokensAtMost(input);
    if (batch.length > 0 && (batch.length >= most || tokens + more > mostTokens)) {
      yield batch;
      batch = [];
      tokens = 0;
    }
    batch.push(input);
    tokens += more;
  }
  yield batch;
}

function isTokens(input: readonly unknown[]): input is readonly number[] {
  return typeof input[0] === 'number';
}

/** Text of two bytes a token is rare: a batch is rather too small than refused. */
function tokensAtMost(input: Input): number {
  return typeof input === 'string' ? Math.ceil(Buffer.byteLength(input) / 2) : input.length;
}

/** A number on a line of its own, as OpenAI prints it, and what may be read of an answer. */
const BYTES_PER_NUMBER = 24;
const REPLY_BYTES = 90 * 1024 * 1024;

/** An answer of the longest vectors would be longer than any that is read. */
function mostInOneReply(dimensions = 1_536): number {
  return Math.max(1, Math.floor(REPLY_BYTES / (BYTES_PER_NUMBER * dimensions)));
}
