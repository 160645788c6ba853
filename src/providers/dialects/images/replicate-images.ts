import { sourceMegapixels } from '../../../contract/megapixels.js';
import { listOf, parsedObject, present } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  type ImageCall,
  imagesPerCall,
  joined,
  megapixelsOf,
  ownParameters,
} from './image-request.js';
import {
  dataIn,
  gaveUp,
  imagesMade,
  type MadeImage,
  mediaTypeAt,
  moderated,
  noStatus,
} from './image-result.js';
import { modelPath } from '../model-path.js';
import { decodeError } from '../provider-error.js';
import { type Sources, sourcesOf } from './image-sources.js';
import { type Inputs, inputsOf } from './replicate-inputs.js';
import { replyObject } from '../reply-object.js';

/**
 * Replicate's predictions. A model that its maker keeps up is named `owner/name`, any other with its
 * version, `owner/name:version`. The first answer waits for a second, for those that are as fast, and then
 * it is asked again: until that answer, which is waited for, nobody knows what to stop.
 * https://replicate.com/docs/reference/http#predictions.create
 */
export const replicateImages: ImageDialect = {
  encode,
  decode,
  next(reply, _call, asked) {
    const prediction = predictionIn(reply);
    if (asked && !prediction) throw noStatus();
    const { status, urls } = prediction ?? {};
    // A status that nobody knows goes on, as it does for Replicate's own clients.
    if (typeof status !== 'string' || status === 'succeeded' || FAILED.has(status)) {
      return undefined;
    }
    return typeof urls?.get === 'string'
      ? { method: 'GET', path: urls.get, from: 'reply', framing: 'none' }
      : asked;
  },
  cancel(reply) {
    const { urls } = predictionIn(reply) ?? {};
    return typeof urls?.cancel === 'string'
      ? { method: 'POST', path: urls.cancel, from: 'reply', framing: 'none' }
      : undefined;
  },
};

/** What Replicate says went wrong; why a prediction failed is read with it. */
export function decodeReplicateError(reply: UpstreamReply): ReturnType<typeof decodeError> {
  return predictionIn(reply) ? undefined : decodeError(reply);
}

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const inputs = inputsOf(call.model.name);
  const own = ownParameters(call, inputs.takes);
  const pixels = askedPixels(call);
  const taken = Object.fromEntries(inputs.takes.map((field) => [field, call.request[field]]));
  const fields = {
    ...(pixels && inputs.size(call, pixels)),
    ...inputs.sources(call, sources),
  };
  const input = {
    prompt: call.request.prompt,
    ...renamed(present(taken), inputs),
    ...joined(call, fields, own),
  };
  const [model = '', version] = call.model.name.split(':');
  const path = version ? '/predictions' : `/models/${modelPath(model)}/predictions`;
  return imagesPerCall(call, inputs.most).map((count) => ({
    path,
    headers: { prefer: 'wait=1' },
    body: {
      json: {
        ...(version && { version }),
        input: { ...input, ...(count > 1 && inputs.count && { [inputs.count]: count }) },
      },
    },
    framing: 'none',
    beginsTask: true,
  }));
}

/** Most models write `jpg`, and OpenAI `jpeg`. */
function renamed(
  { output_format: format, ...rest }: Record<string, unknown>,
  { jpeg }: Inputs,
): object {
  if (format === undefined) return rest;
  return { ...rest, output_format: format === 'jpeg' ? jpeg : format };
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const predictions = replies.map((reply) => replyObject(reply) as Prediction);
  for (const { status, error } of predictions) {
    if (typeof status !== 'string' || !FAILED.has(status)) continue;
    if (typeof error === 'string' && REFUSAL.test(error)) throw moderated(error);
    if (typeof error === 'string' && UNFIT.test(error)) throw moderated(error, 'invalid_input');
    throw gaveUp(error ?? status);
  }
  const asBase64 = call.request.response_format === 'b64_json';
  const outputs = predictions.flatMap(({ output }) =>
    Array.isArray(output) ? listOf(output) : [output],
  );
  return imagesMade(
    call,
    outputs.flatMap((output) => imageIn(output, asBase64)),
    { kind: { size: paidSize(call) }, calls: replies.length },
  );
}

/**
 * A FLUX.2 may be told its megapixels in its own words, or to make as many as its first source has; beside
 * another shape than a custom one it passes width and height over. [klein] has no custom shape.
 * https://replicate.com/black-forest-labs/flux-2-pro/api/schema
 * https://replicate.com/black-forest-labs/flux-2-klein-4b/api/schema
 */
function paidSize(call: ImageCall): string {
  const { aspect_ratio: ratio, output_megapixels: klein, resolution = klein } = call.request;
  const isInPixels = askedPixels(call) !== undefined || ratio === 'custom';
  if (isInPixels || typeof resolution !== 'string') return megapixelsOf(call);
  const [, told] = /^(\d(?:\.\d+)?)(?: MP)?$/.exec(resolution) ?? [];
  if (told !== undefined) return `${Math.max(1, Math.ceil(Number(told)))}MP`;
  if (resolution !== 'match_input_image') return megapixelsOf(call);
  return `${sourceMegapixels(sourcesOf(call)[0])}MP`;
}

const FAILED = new Set(['failed', 'canceled', 'aborted']);
/**
 * A source that is no picture, and what a version's schema does not allow.
 * https://github.com/pollinations/pollinations/pull/12655, https://github.com/xinntao/Real-ESRGAN/issues/662
 */
const UNFIT = /^(?:cannot identify image file|prediction input failed validation)/i;
const REFUSAL = /nsfw|safety|sensitive|moderat|content policy|flagged/i;

/** A `data:` address is an address like any other, unless the bytes are asked for. */
function imageIn(output: unknown, asBase64: boolean): MadeImage[] {
  const url = typeof output === 'string' ? output : (output as { url?: unknown } | null)?.url;
  if (typeof url !== 'string' || !/^(https?|data):/.test(url)) return [];
  const inline = dataIn(url);
  if (inline) return [asBase64 ? inline : { url, mediaType: inline.mediaType }];
  return [{ url, mediaType: mediaTypeAt(url) }];
}

interface Prediction {
  readonly status?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly urls?: { readonly get?: unknown; readonly cancel?: unknown } | null;
}

function predictionIn(reply: UpstreamReply): Prediction | undefined {
  const body = parsedObject(reply.bytes.toString()) as (Prediction & { id?: unknown }) | undefined;
  return typeof body?.id === 'string' && typeof body.status === 'string' ? body : undefined;
}
