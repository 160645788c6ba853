import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the recorded exchanges lie, seen from the project's root; not part of the project. */
export const RECORDED_FOLDER = join('..', 'shared', 'fixtures', 'recorded');

/** The calls that the gateway passes on in the format in which they were recorded. */
const OPERATIONS = [
  'messages',
  'count_tokens',
  'chat',
  'embeddings',
  'images.generations',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One exchange with a provider. */
export interface Recording {
  readonly id: string;
  readonly provider: 'anthropic' | 'openai';
  readonly kind: Operation | 'error';
  readonly op: Operation;
  /** The provider's name of the model. */
  readonly model: string;
  readonly stream: boolean;
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    /** The recorded body, or the smallest one that fits where only the answer was recorded. */
    readonly body: Readonly<Record<string, any>>;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: any;
    /** Lines of an event stream, without their ends. */
    readonly sse?: readonly string[];
    readonly sse_eol?: 'LF' | 'CRLF';
  };
}

/** The recorded exchanges of these operations with Anthropic and OpenAI; none where there is no corpus. */
export function recordings(): readonly Recording[] {
  const index = join(RECORDED_FOLDER, 'index.json');
  if (!existsSync(index)) return [];
  const entries = JSON.parse(readFileSync(index, 'utf8')) as (Recording & { path: string })[];
  return entries
    .filter(({ provider }) => ['anthropic', 'openai'].includes(provider))
    .filter(({ op }) => OPERATIONS.includes(op))
    .map(({ path }) => complete(JSON.parse(readFileSync(join(RECORDED_FOLDER, path), 'utf8'))));
}

/** Prices of every recorded model, in USD for a token, or for an image. */
export const PRICES = {
  input_cost_per_token: 0.000_003,
  output_cost_per_token: 0.000_007,
  cache_read_input_token_cost: 0.000_000_3,
  cache_creation_input_token_cost: 0.000_005,
  cache_creation_1h_input_token_cost: 0.000_011,
  output_cost_per_image: 0.04,
};

/** A models file with every recorded model. */
export function modelsFile(corpus: readonly Recording[]): string {
  const endpoints = new Map<string, Set<string>>();
  for (const { provider, model, op } of corpus) {
    const id = `${provider}/${model}`;
    endpoints.set(id, (endpoints.get(id) ?? new Set()).add(ENDPOINT[op]));
  }
  const capabilities = { supports_dimensions: true };
  const models = [...endpoints].map(([id, served]) => [
    id,
    { endpoints: [...served], pricing: PRICES, capabilities },
  ]);
  // JSON is YAML.
  return JSON.stringify({ models: Object.fromEntries(models) });
}

const ENDPOINT: Readonly<Record<Operation, string>> = {
  messages: 'messages',
  count_tokens: 'messages',
  chat: 'messages',
  embeddings: 'embeddings',
  'images.generations': 'images',
};

type Stored = Omit<Recording, 'model' | 'request'> & {
  readonly model: string | null;
  readonly request: { readonly headers: Record<string, string>; readonly body: any } | null;
};

function complete(stored: Stored): Recording {
  const { op, stream, response } = stored;
  const model = stored.model ?? response.body?.model ?? 'recorded-model';
  const smallest = { model, ...SMALLEST[op], ...(stream && { stream }) };
  const { headers = {}, body } = stored.request ?? {};
  return { ...stored, model, request: { headers, body: body ?? smallest } };
}

const messages = [{ role: 'user', content: 'Hello' }];
const SMALLEST: Readonly<Record<Operation, object>> = {
  messages: { max_tokens: 16, messages },
  count_tokens: { messages },
  chat: { messages },
  embeddings: { input: 'Hello' },
  'images.generations': { prompt: 'A cat' },
};
