import { type Received } from './fake-upstream.js';

/** A vector that only this text has, exact in float32. */
export function vectorOf(text: string, length = 4): number[] {
  let seed = 0;
  for (const character of text) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return Array.from({ length }, (_, at) => ((seed + at * 97) % 4_096) / 4_096 + 1 / 8_192);
}

export function base64Of(numbers: readonly number[]): string {
  return Buffer.from(new Float32Array(numbers).buffer).toString('base64');
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** What providers are said to do, and no more: each refuses what it does not know. */
export type EmbeddingsFormat = (request: Received) => Reply;

const refuse = (message: string): Reply => ({ status: 400, body: { error: { message } } });
const tokensOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);

interface Strictness {
  /** Names of all fields that are known. */
  readonly fields: readonly string[];
  readonly most: number;
  readonly encodings?: readonly string[];
  readonly length?: string;
  /** How many numbers there are where nobody asks. */
  readonly dimensions?: number;
  /** The usage, where it is told otherwise. */
  readonly usage?: (tokens: number) => object | undefined;
}

/** OpenAI's format, as one provider takes it. */
export function openaiFormat(strict: Strictness): EmbeddingsFormat {
  return ({ body }) => {
    const { input, encoding_format: encoding } = body;
    const texts: unknown[] = Array.isArray(input) ? input : [input];
    const unknown = Object.keys(body).filter((name) => !strict.fields.includes(name));
    if (unknown.length > 0) return refuse(`unknown ${unknown.join()}`);
    if (texts.length > strict.most) return refuse(`more than ${strict.most}`);
    if (!texts.every((text) => typeof text === 'string')) return refuse('text only');
    if (encoding !== undefined && !strict.encodings?.includes(encoding)) {
      return { status: 422, body: { detail: `encoding_format ${JSON.stringify(encoding)}` } };
    }
    const length = body[strict.length ?? 'dimensions'] ?? strict.dimensions;
    const tokens = tokensOf(texts as string[]);
    const usage = strict.usage
      ? strict.usage(tokens)
      : { prompt_tokens: tokens, total_tokens: tokens };
    const data = (texts as string[]).map((text, index) => {
      const vector = vectorOf(text, length);
      return {
        object: 'embedding',
        index,
        embedding: encoding === 'base64' ? base64Of(vector) : vector,
      };
    });
    return { status: 200, body: { object: 'list', data, model: body.model, usage } };
  };
}

export const gemini: EmbeddingsFormat = ({ path, body }) => {
  if (!path.endsWith(':batchEmbedContents')) return refuse(path);
  const requests = body.requests as any[];
  if (requests.length > 100) return refuse('at most 100 requests can be in one batch');
  const known = ['model', 'content', 'outputDimensionality', 'taskType', 'title'];
  for (const request of requests) {
    const unknown = Object.keys(request).filter((name) => !known.includes(name));
    if (unknown.length > 0) return refuse(`Unknown name "${unknown.join()}"`);
  }
  const embeddings = requests.map(({ content, outputDimensionality: length }) => ({
    values: vectorOf(content.parts[0].text, length),
  }));
  return { status: 200, body: { embeddings } };
};

export const vertexPredict: EmbeddingsFormat = ({ path, body }) => {
  if (!path.endsWith(':predict')) return refuse(path);
  const most = path.includes('gemini-embedding') ? 1 : 250;
  if (body.instances.length > most) return refuse(`${most} instance(s) is allowed per prediction`);
  if (tokensOf(body.instances.map(({ content }: any) => content)) / 4 > 20_000)
    return refuse('20k');
  const predictions = body.instances.map(({ content }: any) => ({
    embeddings: {
      values: vectorOf(content, body.parameters?.outputDimensionality),
      statistics: { token_count: content.length, truncated: false },
    },
  }));
  return { status: 200, body: { predictions, metadata: { billableCharacterCount: 1 } } };
};

export const vertexEmbedContent: EmbeddingsFormat = ({ path, body }) => {
  if (!path.endsWith(':embedContent')) return refuse(path);
  const text = body.content.parts[0].text;
  const values = vectorOf(text, body.embedContentConfig?.outputDimensionality);
  const usageMetadata = { promptTokenCount: text.length };
  return { status: 200, body: { embedding: { values }, usageMetadata } };
};

export const cohere: EmbeddingsFormat = ({ path, body }) => {
  if (!path.endsWith('/v2/embed')) return refuse(path);
  if (!body.input_type) return refuse('valid input_type must be provided');
  if (body.texts.length > 96) return refuse('total number of texts must be at most 96');
  const float = body.texts.map((text: string) => vectorOf(text, body.output_dimension));
  const meta = { billed_units: { input_tokens: tokensOf(body.texts) } };
  return { status: 200, body: { embeddings: { float }, meta, texts: body.texts } };
};

export const titan: EmbeddingsFormat = ({ body }) => {
  const embedding = vectorOf(body.inputText, body.dimensions);
  return { status: 200, body: { embedding, inputTextTokenCount: body.inputText.length } };
};

export const nova: EmbeddingsFormat = ({ body }) => {
  const { text, embeddingDimension, embeddingPurpose } = body.singleEmbeddingParams;
  if (!embeddingPurpose || !text.truncationMode) return refuse('required key missing');
  const embedding = vectorOf(text.value, embeddingDimension);
  return {
    status: 200,
    body: { embeddings: [{ embeddingType: 'TEXT', embedding }] },
    headers: { 'x-amzn-bedrock-input-token-count': String(text.value.length) },
  };
};

export const bedrockCohere: EmbeddingsFormat = ({ body }) => {
  if (!body.input_type) return refuse('input_type');
  if (body.texts.length > 96) return refuse('96');
  return {
    status: 200,
    body: { embeddings: body.texts.map((text: string) => vectorOf(text)), texts: body.texts },
    headers: { 'x-amzn-bedrock-input-token-count': String(tokensOf(body.texts)) },
  };
};

export const ollama: EmbeddingsFormat = ({ path, body }) => {
  if (!path.endsWith('/api/embed')) return refuse(path);
  const embeddings = body.input.map((text: string) => vectorOf(text, body.dimensions));
  return { status: 200, body: { embeddings, prompt_eval_count: tokensOf(body.input) } };
};

export const huggingface: EmbeddingsFormat = ({ path, body }) =>
  path.endsWith('/pipeline/feature-extraction')
    ? { status: 200, body: body.inputs.map((text: string) => vectorOf(text)) }
    : refuse(path);

/** Bytes in base64, as Perplexity answers. */
export const perplexity: EmbeddingsFormat = ({ path, body }) => {
  if (!path.endsWith('/v1/embeddings') || 'encoding_format' in body) return refuse(path);
  const data = body.input.map((text: string, index: number) => ({
    object: 'embedding',
    index,
    embedding: Buffer.from(Int8Array.from(bytesOf(text))).toString('base64'),
  }));
  const tokens = tokensOf(body.input);
  return { status: 200, body: { data, usage: { prompt_tokens: tokens, total_tokens: tokens } } };
};

export function bytesOf(text: string): number[] {
  return vectorOf(text).map((component) => Math.round(component * 255) - 128);
}
