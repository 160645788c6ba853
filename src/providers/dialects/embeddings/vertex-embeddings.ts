import { ownFields } from '../../../contract/embeddings.js';
import { tokenCount } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { byModel, embeddingsCodec, sumOf } from './embeddings-codec.js';
import { atPath } from '../dialect-path.js';
import { promptCounts, valuesOf } from './gemini-embeddings.js';
import { VERTEX } from '../gemini/gemini-host.js';
import { openaiEmbeddings } from './openai-embeddings.js';
import { replyObject } from '../reply-object.js';
import { isOfOtherMaker, vertexRoot } from '../gemini/vertex-path.js';

/**
 * Texts by `predict`. The newer Gemini model takes one of them a call.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 */
const predict = embeddingsCodec({
  limits: ({ model }) =>
    model.name.startsWith('gemini-') ? { items: 1 } : { items: 250, tokens: 20_000 },
  encode(inputs, { request, model, place }, dimensions) {
    const { task_type: type, taskType = type, title, ...own } = ownFields(request);
    const parameters = {
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      ...own,
    };
    const instances = inputs.map((content) => ({
      content,
      ...(taskType !== undefined && { task_type: taskType }),
      ...(title !== undefined && { title }),
    }));
    const json = { instances, ...(Object.keys(parameters).length > 0 && { parameters }) };
    const path = VERTEX.path(model.name, 'predict', place);
    return { path, body: { json }, framing: 'none' };
  },
  decode(reply, call) {
    const { predictions } = replyObject(reply) as { predictions?: unknown };
    const embeddings = listOf(predictions).map(
      (entry) => (entry as { embeddings?: Embedded } | null)?.embeddings,
    );
    const counts = embeddings.map((embedded) => tokenCount(embedded?.statistics?.token_count));
    return {
      vectors: embeddings.map((embedded) => valuesOf(embedded, call)),
      promptTokens: sumOf(counts),
    };
  },
});

interface Embedded {
  readonly values?: unknown;
  readonly statistics?: { readonly token_count?: unknown };
}

/**
 * One text a call, which is all that `gemini-embedding-2` knows.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-multimodal-embeddings
 */
const embedContent = embeddingsCodec({
  limits: { items: 1 },
  encode([text], { request, model, place }, dimensions) {
    const { task_type: type, taskType = type, ...own } = ownFields(request);
    const embedContentConfig = {
      ...(taskType !== undefined && { taskType }),
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      ...own,
    };
    const json = {
      content: { parts: [{ text }] },
      ...(Object.keys(embedContentConfig).length > 0 && { embedContentConfig }),
    };
    const path = VERTEX.path(model.name, 'embedContent', place);
    return { path, body: { json }, framing: 'none' };
  },
  decode(reply, call) {
    const { embedding, usageMetadata } = replyObject(reply) as {
      embedding?: unknown;
      usageMetadata?: unknown;
    };
    return { vectors: [valuesOf(embedding, call)], ...promptCounts(usageMetadata) };
  },
});

/** Other makers' models, which are named `maker/model`. */
const { codec: openai = predict } = atPath(
  openaiEmbeddings({ textOnly: true, limits: { items: 250, tokens: 20_000 } }),
  (path, { place }) => `${vertexRoot(place)}/endpoints/openapi${path}`,
);

/** Embeddings of Vertex AI, in the format that each model is served in. */
export const vertexEmbeddings = byModel('gemini', ({ model: { name } }) => {
  if (isOfOtherMaker(name)) return openai;
  return /^(?:models\/)?gemini-embedding-(?!0)/.test(name) ? embedContent : predict;
});
