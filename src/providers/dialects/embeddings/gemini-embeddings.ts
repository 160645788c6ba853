import { ownFields } from '../../../contract/embeddings.js';
import { tokenCount } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { type CallContext, type Dialect } from '../../provider.js';
import { type EmbeddedBatch, embeddingsCodec } from './embeddings-codec.js';
import { toUnit, type Vector, vectorIn } from './embeddings-vectors.js';
import { GEMINI_API, geminiResource } from '../gemini/gemini-host.js';
import { tokensOf } from '../gemini/gemini-usage.js';
import { replyObject } from '../reply-object.js';

/**
 * Embeddings of the Gemini API, a hundred texts a call. The caller's own parameters (`taskType`,
 * `title`, …) go into the request of each text.
 * https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
 */
export const geminiEmbeddings: Dialect<'embeddings'> = {
  format: 'gemini',
  codec: embeddingsCodec({
    limits: { items: 100 },
    encode(inputs, { request, model, place }, dimensions) {
      const own = ownFields(request);
      const requests = inputs.map((text) => ({
        model: geminiResource(model.name),
        content: { parts: [{ text }] },
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
        ...own,
      }));
      const path = GEMINI_API.path(model.name, 'batchEmbedContents', place);
      return { path, body: { json: { requests } }, framing: 'none' };
    },
    decode(reply, call) {
      const { embeddings, usageMetadata } = replyObject(reply) as WireReply;
      const vectors = listOf(embeddings).map((entry) => valuesOf(entry, call));
      return { vectors, ...promptCounts(usageMetadata) };
    },
  }),
};

interface WireReply {
  readonly embeddings?: unknown;
  readonly usageMetadata?: unknown;
}

/** The vector of `{values}`; a shortened one does not always come with length 1. */
export function valuesOf(
  embedding: unknown,
  { request }: CallContext<'embeddings'>,
): Vector | undefined {
  const values = vectorIn((embedding as { values?: unknown } | null | undefined)?.values);
  const isShort = request.dimensions !== undefined;
  return values && isShort && isNumbers(values) ? toUnit(values) : values;
}

/**
 * What was read, of which a caller's own `content` may hold pictures and sound at prices of their own. The
 * older model does not say. https://ai.google.dev/api/embeddings#EmbeddingUsageMetadata
 */
export function promptCounts(usageMetadata: unknown): Omit<EmbeddedBatch, 'vectors'> {
  const usage = usageMetadata as EmbeddingUsage | null | undefined;
  const promptTokens = tokenCount(usage?.promptTokenCount);
  const details = usage?.promptTokenDetails;
  return {
    promptTokens,
    imageTokens: tokensOf('IMAGE', details),
    audioTokens: tokensOf('AUDIO', details),
  };
}

interface EmbeddingUsage {
  readonly promptTokenCount?: unknown;
  readonly promptTokenDetails?: unknown;
}

function isNumbers(values: Vector): boolean {
  return values.every((value) => typeof value === 'number');
}
