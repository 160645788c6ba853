import { type Codec, type Dialect, type UpstreamReply } from '../../provider.js';
import { type EmbeddedBatch, embeddingsCodec } from './embeddings-codec.js';
import { brokenVectors, type Vector, vectorIn } from './embeddings-vectors.js';
import { type EmbeddingsQuirks, fieldChanges, OPENAI_LIMITS } from './openai-embeddings-quirks.js';
import { openaiEmbeddingsRelay } from './openai-embeddings-relay.js';
import { embeddingsTokens } from './openai-embeddings-usage.js';
import { replyObject } from '../reply-object.js';

/**
 * Embeddings of a provider that speaks OpenAI's format, but for its quirks. What fits one call is
 * passed on without parsing the vectors.
 * https://platform.openai.com/docs/api-reference/embeddings
 */
export function openaiEmbeddings(quirks: EmbeddingsQuirks = {}): Dialect<'embeddings'> {
  return {
    format: 'openai',
    takesTokens: quirks.textOnly !== true,
    // Bytes in base64 are not what a caller of OpenAI's format would read them as.
    ...(!quirks.bytesInBase64 && { relay: openaiEmbeddingsRelay(quirks) }),
    codec: codec(quirks),
  };
}

/** OpenAI's own. */
export const OPENAI_EMBEDDINGS = openaiEmbeddings({ encodings: ['float', 'base64'] });

function codec(quirks: EmbeddingsQuirks): Codec<'embeddings'> {
  return embeddingsCodec({
    limits: quirks.limits ?? OPENAI_LIMITS,
    encode(inputs, { request, model }) {
      const { input } = request;
      const isOne = typeof input === 'string' || typeof input[0] === 'number';
      const body: Record<string, unknown> = { ...request, input: isOne ? inputs[0] : inputs };
      for (const [name, value] of fieldChanges(request, model, quirks)) {
        if (value === undefined) Reflect.deleteProperty(body, name);
        else body[name] = value;
      }
      return { path: '/embeddings', body: { json: body }, framing: 'none' };
    },
    decode: (reply) => embeddedBatch(reply, quirks.bytesInBase64 ? bytesIn : vectorIn),
  });
}

interface WireReply {
  readonly data?: unknown;
  readonly usage?: { readonly prompt_tokens?: unknown; readonly total_tokens?: unknown } | null;
}

function embeddedBatch(
  reply: UpstreamReply,
  read: (embedding: unknown) => Vector | undefined,
): EmbeddedBatch {
  const { data, usage } = replyObject(reply) as WireReply;
  if (!Array.isArray(data)) throw brokenVectors();
  const vectors = new Array<Vector | undefined>(data.length).fill(undefined);
  data.forEach((entry: unknown, position) => {
    const item = entry as { index?: unknown; embedding?: unknown } | null;
    // Some servers count in text.
    const index = Number(item?.index ?? position);
    if (!(index in vectors) || vectors[index]) throw brokenVectors();
    vectors[index] = read(item?.embedding);
  });
  const tokens = embeddingsTokens(usage ?? {});
  return { vectors, promptTokens: tokens?.prompt, totalTokens: tokens?.total };
}

function bytesIn(embedding: unknown): Vector | undefined {
  if (typeof embedding !== 'string') return vectorIn(embedding);
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
}
