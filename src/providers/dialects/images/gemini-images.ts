import { listOf, someText } from '../../../json/values.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { REFUSALS } from '../gemini/gemini-answer.js';
import { geminiErrorIn } from '../gemini/gemini-errors.js';
import { refuseRouting } from '../gemini/gemini-extras.js';
import { type Grounded, searchesIn } from '../gemini/gemini-grounding.js';
import { type GeminiHost } from '../gemini/gemini-host.js';
import { geminiShapes } from './gemini-image-shapes.js';
import { geminiImageTokens } from './gemini-image-usage.js';
import { googleImageOutput } from './google-image-output.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedShape,
  type ImageCall,
  imagesPerCall,
  joined,
  ownParameters,
} from './image-request.js';
import { drewNothing, imagesMade, type MadeImage, moderated } from './image-result.js';
import { base64Of, fileOf, refuseMask, sourceParam, type Sources } from './image-sources.js';
import { replyObject } from '../reply-object.js';

/**
 * A Gemini that draws: one image a call, a shape in place of a size, no mask.
 * https://ai.google.dev/gemini-api/docs/image-generation
 */
export function geminiImages(host: ImageHost): ImageDialect {
  return { encode: (call, sources) => encode(call, sources, host), decode };
}

/** A host of Gemini's, and whether it can be told the format of the images. */
type ImageHost = Pick<GeminiHost, 'path'> & { readonly takesFormat: boolean };

function encode(call: ImageCall, sources: Sources, host: ImageHost): readonly UpstreamCall[] {
  refuseMask(call, sources);
  refuseRouting(call.request);
  const mapped = host.takesFormat ? ['output_format', 'output_compression'] : [];
  const { seed, generationConfig, ...own } = ownParameters(call, mapped);
  const config = (generationConfig ?? {}) as Readonly<Record<string, unknown>>;
  const imageOutputOptions = host.takesFormat ? googleImageOutput(call) : undefined;
  const imageConfig = joined(
    call,
    { ...shapeFields(call), ...(imageOutputOptions && { imageOutputOptions }) },
    (config.imageConfig ?? {}) as Readonly<Record<string, unknown>>,
  );
  const images = sources.images.map((image, index) => ({
    inlineData: {
      mimeType: fileOf(call, image, sourceParam(index)).mediaType,
      data: base64Of(call, image, sourceParam(index)),
    },
  }));
  const upstreamCall: UpstreamCall = {
    path: host.path(call.model.name, 'generateContent', call.place),
    body: {
      json: {
        contents: [{ role: 'user', parts: [{ text: call.request.prompt }, ...images] }],
        ...own,
        generationConfig: {
          // The second generation draws only where it may speak too.
          responseModalities: call.model.name.startsWith('gemini-2.0')
            ? ['TEXT', 'IMAGE']
            : ['IMAGE'],
          ...(seed !== undefined && { seed }),
          ...config,
          ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
        },
      },
    },
    framing: 'none',
  };
  return imagesPerCall(call, 1).map(() => upstreamCall);
}

function shapeFields(call: ImageCall): Record<string, unknown> {
  const shapes = geminiShapes(call.model.name);
  const sizes = Object.keys(shapes.documented ?? {}).join(', ');
  const advice = `It draws in ${sizes}, and in multiples by its imageSize.`;
  const { ratio, resolution } = askedShape(call, shapes, advice) ?? {};
  return { ...(ratio && { aspectRatio: ratio }), ...(resolution && { imageSize: resolution }) };
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as Answer);
  const images = answers.flatMap(imagesIn);
  const [first] = answers;
  if (images.length === 0 && first) throw withoutImage(first);
  const made = imagesMade(call, images, {
    tokens: geminiImageTokens(answers.map(({ usageMetadata }) => usageMetadata)),
  });
  // A caller's own `tools` may have it look first at what it shall draw.
  const searches = answers.map((answer) => searchesIn(candidateIn(answer) ?? {}, call.model.name));
  const tools = { webSearches: searches.reduce((sum, one) => sum + one, 0) };
  return { ...made, usage: made.usage && { ...made.usage, ...tools }, tools };
}

/** Sketches among the thoughts are no answer. */
function imagesIn(answer: Answer): MadeImage[] {
  return partsOf(answer).flatMap(({ thought, inlineData, inline_data }) => {
    const { data, mimeType } = inlineData ?? inline_data ?? {};
    if (thought === true || typeof data !== 'string' || data === '') return [];
    return [{ base64: data, mediaType: typeof mimeType === 'string' ? mimeType : undefined }];
  });
}

function withoutImage(answer: Answer): Error {
  const { promptFeedback: blocked } = answer;
  const candidate = candidateIn(answer);
  const reason = blocked?.blockReason ?? candidate?.finishReason;
  const message = someText(blocked?.blockReasonMessage) ?? someText(candidate?.finishMessage);
  if (blocked?.blockReason || REFUSALS.test(String(reason))) {
    return moderated(message ?? `Google drew no image: ${String(reason)}.`, String(reason));
  }
  const said = partsOf(answer).map((part) =>
    part.thought === true ? '' : (someText(part.text) ?? ''),
  );
  const words = said.join('').trim();
  const hasSpoken = words !== '' || INSTEAD.has(reason) || partsOf(answer).some(isCall);
  return drewNothing(message ?? geminiErrorIn(answer)?.message ?? words, hasSpoken);
}

/** https://ai.google.dev/api/generate-content#FinishReason */
const INSTEAD = new Set<unknown>(['NO_IMAGE', 'MAX_TOKENS']);

/** Of a function that the caller's own `tools` offer. */
const isCall = (part: Part): boolean => part.functionCall !== undefined;

interface Answer {
  readonly candidates?: unknown;
  readonly usageMetadata?: unknown;
  readonly promptFeedback?: { blockReason?: unknown; blockReasonMessage?: unknown } | null;
}

interface Candidate extends Grounded {
  readonly content?: { readonly parts?: unknown } | null;
  readonly finishReason?: unknown;
  readonly finishMessage?: unknown;
}

interface Part {
  readonly thought?: unknown;
  readonly text?: unknown;
  readonly functionCall?: unknown;
  readonly inlineData?: { data?: unknown; mimeType?: unknown };
  readonly inline_data?: { data?: unknown; mimeType?: unknown };
}

function candidateIn({ candidates }: Answer): Candidate | null | undefined {
  const [candidate] = listOf(candidates) as (Candidate | null)[];
  return candidate;
}

function partsOf(answer: Answer): readonly Part[] {
  return (listOf(candidateIn(answer)?.content?.parts) as (Part | null)[]).filter(
    (part) => part !== null,
  );
}
