import { NO_USAGE, tokenCount } from '../../../contract/usage.js';
import { listOf, present, textOf } from '../../../json/values.js';
import {
  type Decoded,
  type ProviderError,
  type UpstreamCall,
  type UpstreamReply,
} from '../../provider.js';
import { REFUSALS } from '../gemini/gemini-answer.js';
import { geminiShapes } from './gemini-image-shapes.js';
import { type ImageTokens } from './gemini-image-usage.js';
import { charged } from '../charged.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  askedShape,
  type ImageCall,
  imagesPerCall,
  joined,
  megapixelsOf,
  ownParameters,
} from './image-request.js';
import { dataIn, drewNothing, imagesMade, type MadeImage, moderated } from './image-result.js';
import { type Shapes, sizeText } from './image-size.js';
import { addressOf, refuseMask, type Sources } from './image-sources.js';
import { wholeErrorIn } from '../openai-chat/openai-chat-error.js';
import { replyObject } from '../reply-object.js';

/**
 * OpenRouter's images: a chat whose answer has pictures.
 * https://openrouter.ai/docs/guides/overview/multimodal/image-generation
 */
export const openrouterImages: ImageDialect = { encode, decode, failure };

const SHAPES: Shapes = {
  ratios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
  resolutions: { '': 1024, '2K': 2048, '4K': 4096 },
};

/** OpenAI's own models take their own words. */
const OPENAI_FIELDS = [
  ...['quality', 'background', 'moderation'],
  ...['output_format', 'output_compression', 'input_fidelity'],
];

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  refuseMask(call, sources);
  const { name } = call.model;
  const { image_config: config, ...own } = ownParameters(
    call,
    name.startsWith('openai/') ? OPENAI_FIELDS : [],
  );
  const imageConfig = joined(
    call,
    name.startsWith('openai/') ? openaiFields(call) : shapeFields(call),
    (config ?? {}) as Readonly<Record<string, unknown>>,
  );
  const images = sources.images.map((image) => ({
    type: 'image_url',
    image_url: { url: addressOf(image) },
  }));
  const json = {
    model: name,
    messages: [{ role: 'user', content: [{ type: 'text', text: call.request.prompt }, ...images] }],
    // Models that can only draw refuse to be asked for text.
    modalities: /^(google\/gemini|openai\/)/.test(name) ? ['image', 'text'] : ['image'],
    ...(Object.keys(imageConfig).length > 0 && { image_config: imageConfig }),
    ...own,
  };
  return imagesPerCall(call, 1).map(() => ({
    path: '/chat/completions',
    body: { json },
    framing: 'none',
  }));
}

function openaiFields(call: ImageCall): Record<string, unknown> {
  const fields = OPENAI_FIELDS.map((field) => [field, call.request[field]] as const);
  return present({ size: sizeText(askedPixels(call)), ...Object.fromEntries(fields) });
}

function shapeFields(call: ImageCall): Record<string, unknown> {
  const { name } = call.model;
  const shapes = name.startsWith('google/') ? geminiShapes(name.replace('google/', '')) : SHAPES;
  const advice = `Ask for an aspect_ratio of ${shapes.ratios.join(', ')}.`;
  const { ratio, resolution } = askedShape(call, shapes, advice) ?? {};
  return { ...(ratio && { aspect_ratio: ratio }), ...(resolution && { image_size: resolution }) };
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as Answer);
  const images = answers.flatMap(imagesIn);
  const [first] = answers;
  if (images.length === 0 && first) throw withoutImage(first);
  return imagesMade(call, images, {
    created: first?.created,
    kind: { size: megapixelsOf(call) },
    tokens: tokensIn(answers.map(({ usage }) => usage)),
    charged: charged(
      answers.map(({ usage }) => costIn(usage)),
      1n,
    ),
  });
}

/** USD. With the operator's own key at the model's maker it is OpenRouter's fee alone. */
function costIn(usage: unknown): unknown {
  const { cost, is_byok: isOwnKey } = (usage ?? {}) as Pick<WireUsage, 'cost' | 'is_byok'>;
  return isOwnKey === true ? undefined : cost;
}

function imagesIn(answer: Answer): MadeImage[] {
  const images = listOf(choiceIn(answer)?.message?.images) as (WireImage | null)[];
  return images.flatMap((image) => {
    const url = typeof image?.image_url === 'string' ? image.image_url : image?.image_url?.url;
    if (typeof url !== 'string' || url === '') return [];
    return [dataIn(url) ?? { url }];
  });
}

/** Beside an image an error is about what came behind it. */
function failure(reply: UpstreamReply): ProviderError | undefined {
  const said = wholeErrorIn(reply);
  return said && imagesIn(replyObject(reply)).length === 0 ? said : undefined;
}

function withoutImage(answer: Answer): Error {
  const choice = choiceIn(answer);
  const said = choice?.message?.refusal ?? choice?.message?.content;
  const words = textOf(said).trim();
  const isFiltered =
    choice?.finish_reason === 'content_filter' ||
    REFUSALS.test(textOf(choice?.native_finish_reason));
  if (isFiltered || choice?.message?.refusal) {
    return moderated(words || 'The request was refused.', 'content_filter');
  }
  const hasSpoken = words !== '' || INSTEAD.has(choice?.finish_reason);
  return drewNothing(words, hasSpoken);
}

/** A caller may allow it too few tokens, or offer it tools. */
const INSTEAD = new Set<unknown>(['length', 'tool_calls']);

/** What is not told to be text is image, which is dearer. */
function tokensIn(usages: readonly unknown[]): ImageTokens | undefined {
  let [input, words, images] = [0, 0, 0];
  for (const usage of usages as readonly (WireUsage | null | undefined)[]) {
    const read = tokenCount(usage?.prompt_tokens);
    const written = tokenCount(usage?.completion_tokens);
    if (read === undefined || written === undefined) return undefined;
    const details = usage?.completion_tokens_details;
    const thoughts = Math.min(tokenCount(details?.reasoning_tokens) ?? 0, written);
    const drawn = Math.min(tokenCount(details?.image_tokens) ?? written - thoughts, written);
    input += read;
    words += written - drawn;
    images += drawn;
  }
  return {
    usage: { ...NO_USAGE, inputTokens: input, outputTokens: words, imageOutputTokens: images },
    wire: {
      total_tokens: input + words + images,
      input_tokens: input,
      output_tokens: words + images,
      output_tokens_details: { text_tokens: words, image_tokens: images },
    },
  };
}

interface Answer {
  readonly created?: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
}

interface Choice {
  readonly finish_reason?: unknown;
  /** In the model's own words, such as `IMAGE_SAFETY`, which may be `stop` in OpenRouter's. */
  readonly native_finish_reason?: unknown;
  readonly message?: {
    readonly content?: unknown;
    readonly refusal?: unknown;
    readonly images?: unknown;
  } | null;
}

interface WireImage {
  readonly image_url?: string | { readonly url?: unknown } | null;
}

interface WireUsage {
  readonly cost?: unknown;
  readonly is_byok?: unknown;
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly completion_tokens_details?: {
    readonly image_tokens?: unknown;
    readonly reasoning_tokens?: unknown;
  } | null;
}

function choiceIn({ choices }: Answer): Choice | null | undefined {
  const [choice] = listOf(choices) as (Choice | null)[];
  return choice;
}
