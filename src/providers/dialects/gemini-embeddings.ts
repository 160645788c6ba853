import { tokenCount } from '../../contract/usage.js';
import { listOf } from '../../json/values.js';
import { type CallContext, type Dialect } from '../provider.js';
import { type EmbeddedBatch, embeddingsCodec, ownFields } from './embeddings-codec.js';
import { toUnit, type Vector, vectorIn } from './embeddings-vectors.js';
import { GEMINI_API, geminiResource } from './gemini-host.js';
import { replyObject } from './reply-object.js';

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
      return { vectors, promptTokens: promptTokens(usageMetadata) };
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

/** The older model does not say. */
export function promptTokens(usageMetadata: unknown): EmbeddedBatch['promptTokens'] {
  const usage = usageMetadata as { promptTokenCount?: unknown } | null | undefined;
  return tokenCount(usage?.promptTokenCount);
}

function isNumbers(values: Vector): boolean {
  return values.every((value) => typeof value === 'number');
}
