import { type EmbeddingsRequest, ownFields } from '../../../contract/embeddings.js';
import { NO_USAGE, type Usage } from '../../../contract/usage.js';
import { present } from '../../../json/values.js';
import {
  type CallContext,
  type Codec,
  type Dialect,
  type UpstreamCall,
  type UpstreamReply,
} from '../../provider.js';
import { batchesOf, type Input, type InputLimits, inputsOf } from './embeddings-inputs.js';
import {
  brokenVectors,
  checkedVectors,
  cut,
  isCutHere,
  type Vector,
} from './embeddings-vectors.js';
import { untranslatable } from '../placed-blocks.js';

type Call = CallContext<'embeddings'>;

type Batches = ReturnType<typeof batchesOf>;

/** What one call brought; counts are undefined where the provider does not say. */
export interface EmbeddedBatch {
  readonly vectors: readonly (Vector | undefined)[];
  readonly promptTokens: number | undefined;
  readonly totalTokens?: number | undefined;
  /** How many of `promptTokens` are pictures, and how many sound. */
  readonly imageTokens?: number;
  readonly audioTokens?: number;
}

/** How a provider is asked for the vectors of a batch, and what it answers. */
interface BatchFormat {
  /** For some providers it depends on the model. */
  readonly limits: InputLimits | ((call: Call) => InputLimits);
  /** @param dimensions the length of vectors to ask for, if any. */
  encode(inputs: readonly Input[], call: Call, dimensions: number | undefined): UpstreamCall;
  /** @throws GatewayError 502 if the reply is not what the format promises. */
  decode(reply: UpstreamReply, call: Call): EmbeddedBatch;
}

/** Splits a request by the provider's limits, and joins what comes back, all or nothing. */
export function embeddingsCodec(format: BatchFormat): Codec<'embeddings'> {
  const { limits } = format;
  // Decoding asks again for what encoding has found, which takes a while where there are many.
  const known = new WeakMap<Call['request'], Pick<Call, 'model'> & { batches: Batches }>();
  const batches = (call: Call): Batches => {
    const { request, model } = call;
    const earlier = known.get(request);
    if (earlier?.model === model) return earlier.batches;
    const found = batchesOf(request, model, typeof limits === 'function' ? limits(call) : limits);
    known.set(request, { model, batches: found });
    return found;
  };
  return {
    encode(call) {
      const { request, model } = call;
      const dimensions = isCutHere(model, request) ? undefined : (request.dimensions ?? undefined);
      const all = batches(call);
      refuseRepeated(request, all.length);
      return all.map((inputs) => format.encode(inputs, call, dimensions));
    },
    parts(call) {
      const { request } = call;
      return batches(call).map((input) => ({
        ...call,
        request: { ...request, input: input as EmbeddingsRequest['input'] },
      }));
    },
    decode(replies, call) {
      const asked = batches(call);
      const hasOwn = Object.keys(ownFields(call.request)).length > 0;
      const parts = replies.map((reply) => format.decode(reply, call));
      const vectors = parts.flatMap((part, at) =>
        checkedVectors(part.vectors, asked[at]?.length ?? 0, hasOwn),
      );
      // Of each batch they are by now; two deployments may hold two models.
      if (vectors.some(({ length }) => length !== vectors[0]?.length)) throw brokenVectors(hasOwn);
      const promptTokens = sumOf(parts.map((part) => part.promptTokens));
      const totalTokens = sumOf(parts.map((part) => part.totalTokens ?? part.promptTokens));
      const { dimensions } = call.request;
      const short = isCutHere(call.model, call.request) && dimensions !== undefined;
      return {
        result: {
          vectors: short ? vectors.map((vector) => cut(vector, dimensions)) : vectors,
          promptTokens,
          totalTokens,
        },
        usage: usageOf(promptTokens, parts),
      };
    },
  };
}

/** A dialect whose format depends on the model. */
export function byModel(
  format: Dialect<'embeddings'>['format'],
  choose: (call: Call) => Codec<'embeddings'>,
): Dialect<'embeddings'> {
  return {
    format,
    codec: {
      encode: (call) => choose(call).encode(call),
      decode: (replies, call) => choose(call).decode(replies, call),
      parts: (call) => choose(call).parts?.(call) ?? [call],
    },
  };
}

/** They go along with each call or input, so a short request could become longer than the memory. */
const MOST_REPEATED_BYTES = 8 * 1024 * 1024;

/** @throws GatewayError 400 for fields that are too long to stand beside so many inputs, in so many calls. */
function refuseRepeated(request: EmbeddingsRequest, calls: number): void {
  const { user } = request;
  const repeated: readonly (readonly [object, number])[] = [
    [ownFields(request), inputsOf(request).length],
    [present({ user }), calls],
  ];
  for (const [fields, times] of repeated) {
    const names = Object.keys(fields);
    if (times === 1 || names.length === 0) continue;
    if (times * Buffer.byteLength(JSON.stringify(fields)) <= MOST_REPEATED_BYTES) continue;
    throw untranslatable('input', `beside so many inputs ${names.join(', ')} must be shorter.`);
  }
}

function usageOf(
  promptTokens: number | undefined,
  parts: readonly EmbeddedBatch[],
): Usage | undefined {
  if (promptTokens === undefined) return undefined;
  const images = parts.reduce((sum, { imageTokens = 0 }) => sum + imageTokens, 0);
  const imageInputTokens = Math.min(images, promptTokens);
  const inputTokens = promptTokens - imageInputTokens;
  const sound = parts.reduce((sum, { audioTokens = 0 }) => sum + audioTokens, 0);
  return {
    ...NO_USAGE,
    inputTokens,
    imageInputTokens,
    audioInputTokens: Math.min(sound, inputTokens),
  };
}

/** Undefined where one of them is not known. */
export function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const count of counts) {
    if (count === undefined) return undefined;
    sum += count;
  }
  return sum;
}
