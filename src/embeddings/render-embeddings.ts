import { type Answer } from '../contract/answer.js';
import { type EmbeddingsResult } from '../contract/embeddings.js';
import { type Usage } from '../contract/usage.js';
import { spliceObject } from '../json/splice.js';
import { nextFreeRound, timeSliced } from '../json/time-sliced.js';

type Encoding = 'float' | 'base64';
type Vectors = EmbeddingsResult['vectors'];

/** Numbers that are written in one step. */
const STEP = 4_096;
const MANY = 200;

/** Renders an answer but for its vectors, which are most of it and are written in time slices. */
export class EmbeddingsRendering {
  private vectors: Vectors | undefined;

  constructor(
    private readonly modelId: string,
    private readonly encoding: Encoding,
  ) {}

  /** The answer's body but for `cost`, `provider` and the vectors. */
  readonly head = (
    { vectors, promptTokens, totalTokens }: EmbeddingsResult,
    counted?: Usage,
  ): object => {
    this.vectors = vectors;
    const prompt = promptTokens ?? counted?.inputTokens ?? 0;
    return {
      object: 'list',
      data: [],
      model: this.modelId,
      usage: { prompt_tokens: prompt, total_tokens: totalTokens ?? prompt },
    };
  };

  /** The answer with its vectors, in the encoding that was asked for; itself when it was relayed. */
  async complete(answer: Answer): Promise<Answer> {
    if (!this.vectors) return answer;
    // Reading many took a while.
    if (this.vectors.length >= MANY) await nextFreeRound();
    const data = await timeSliced(dataSteps(this.vectors, this.encoding));
    const head = Buffer.concat(answer.body as readonly Buffer[]);
    const body = spliceObject(head, new Map([['data', data]]));
    if (!body) throw new Error('what was rendered is an object');
    return { ...answer, body };
  }
}

/** The list of vectors as JSON text. */
function* dataSteps(vectors: Vectors, encoding: Encoding): Generator<void, Buffer[]> {
  const pieces: Buffer[] = [];
  const atOnce = Math.ceil(STEP / Math.max(1, vectors[0]?.length ?? 0));
  for (let from = 0; from < vectors.length; from += atOnce) {
    const items = vectors.slice(from, from + atOnce).map((vector, at) => ({
      object: 'embedding',
      index: from + at,
      embedding: encoding === 'base64' ? base64(vector) : Array.from(vector),
    }));
    const text = JSON.stringify(items).slice(1, -1);
    pieces.push(Buffer.from(from === 0 ? `[${text}` : `,${text}`));
    yield;
  }
  pieces.push(Buffer.from(pieces.length === 0 ? '[]' : ']'));
  return pieces;
}

/** Little-endian IEEE 754 float32, as OpenAI's SDKs decode it. */
function base64(vector: ArrayLike<number>): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < vector.length; at++) view.setFloat32(at * 4, vector[at] ?? 0, true);
  return bytes.toString('base64');
}
