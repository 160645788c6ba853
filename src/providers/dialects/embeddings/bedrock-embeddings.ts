import { ownFields } from '../../../contract/embeddings.js';
import { tokenCount } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { type CallContext, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { bedrockPath, vendorOf } from '../converse/bedrock-model.js';
import { cohereVectors } from './cohere-embeddings.js';
import { byModel, embeddingsCodec } from './embeddings-codec.js';
import { vectorIn } from './embeddings-vectors.js';
import { replyObject } from '../reply-object.js';

/**
 * Titan, one text a call; the multimodal one has the length of its vectors elsewhere.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
 */
const titan = embeddingsCodec({
  limits: { items: 1 },
  encode([inputText], { request, model }, dimensions) {
    const length = model.name.includes('titan-embed-image')
      ? { embeddingConfig: { outputEmbeddingLength: dimensions } }
      : { dimensions };
    const asked = dimensions === undefined ? {} : length;
    return invoke(model.name, { inputText, ...asked, ...ownFields(request) });
  },
  decode(reply) {
    const { embedding, embeddingsByType, inputTextTokenCount } = replyObject(reply) as {
      embedding?: unknown;
      embeddingsByType?: Readonly<Record<string, unknown>> | null;
      inputTextTokenCount?: unknown;
    };
    const byType = embeddingsByType ?? {};
    const vector = embedding ?? byType.float ?? Object.values(byType)[0];
    const promptTokens = tokenCount(inputTextTokenCount) ?? toldInHeader(reply);
    return { vectors: [vectorIn(vector)], promptTokens };
  },
});

/**
 * Nova, one text a call. A text that is too long is refused, as it is by others, and not cut.
 * https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html
 */
const nova = embeddingsCodec({
  limits: { items: 1 },
  encode([value], { request, model }, dimensions) {
    const {
      embeddingPurpose = 'GENERIC_INDEX',
      truncationMode = 'NONE',
      singleEmbeddingParams,
      ...own
    } = ownFields(request);
    return invoke(model.name, {
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose,
        ...(dimensions !== undefined && { embeddingDimension: dimensions }),
        ...(singleEmbeddingParams as object | undefined),
        text: { truncationMode, value },
      },
      ...own,
    });
  },
  decode(reply) {
    const { embeddings } = replyObject(reply) as { embeddings?: unknown };
    const vectors = listOf(embeddings).map((entry) =>
      vectorIn((entry as { embedding?: unknown } | null)?.embedding),
    );
    return { vectors, promptTokens: toldInHeader(reply) };
  },
});

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html */
const cohere = embeddingsCodec({
  limits: { items: 96 },
  encode: (texts, { request, model }, dimensions) =>
    invoke(model.name, {
      texts,
      input_type: 'search_document',
      ...(dimensions !== undefined && { output_dimension: dimensions }),
      ...ownFields(request),
    }),
  decode(reply) {
    const { embeddings } = replyObject(reply) as { embeddings?: unknown };
    return { vectors: cohereVectors(embeddings), promptTokens: toldInHeader(reply) };
  },
});

/** Embeddings of Amazon Bedrock, in the format of each model's maker. */
export const bedrockEmbeddings = byModel('converse', ({ model }: CallContext<'embeddings'>) => {
  if (vendorOf(model.name) === 'cohere') return cohere;
  return model.name.includes('nova') ? nova : titan;
});

function invoke(model: string, json: object): UpstreamCall {
  return { path: bedrockPath(model, 'invoke'), body: { json }, framing: 'none' };
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
function toldInHeader({ headers }: UpstreamReply): number | undefined {
  const told = headers['x-amzn-bedrock-input-token-count'];
  return told === undefined ? undefined : tokenCount(Number(told));
}
