import { isText, listOf, present } from '../../../json/values.js';
import { type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { bflAnswer, bflImages, isPending } from './bfl-result.js';
import { brokenAnswer } from '../broken-answer.js';
import { type ImageDialect, imageDialectBy } from './image-dialect.js';
import {
  askedShape,
  askedText,
  type ImageCall,
  imagesPerCall,
  joined,
  ownParameters,
} from './image-request.js';
import { gaveUp, imagesMade, type MadeImage, moderated } from './image-result.js';
import { type Shapes } from './image-size.js';
import { addressOf, checkCount, refuseMask } from './image-sources.js';
import { modelPath } from '../model-path.js';

/**
 * Fireworks's images: a workflow for each model, told a shape in place of a size. Kontext answers with
 * an id to ask for. https://docs.fireworks.ai/api-reference/generate-a-new-image-from-a-text-prompt,
 * …/generate-or-edit-image-using-flux-kontext
 */
export const fireworksImages: ImageDialect = imageDialectBy((name) =>
  name.includes('kontext') ? kontext : textToImage,
);

const SHAPES: Shapes = {
  ratios: ['1:1', '21:9', '16:9', '3:2', '5:4', '4:5', '2:3', '9:16', '9:21', '4:3', '3:4'],
  resolutions: { '': 1024 },
};

const kontext: ImageDialect = {
  encode(call, sources) {
    refuseMask(call, sources);
    checkCount(call, sources, 1);
    const [image] = sources.images;
    const own = ownParameters(call, ['output_format']);
    const output_format = askedText(call, 'output_format');
    const body = {
      ...present({ output_format, input_image: image && addressOf(image) }),
      ...own,
    };
    return workflow(call, '', body).map((begun) => ({ ...begun, beginsTask: true }));
  },
  // It is asked with the id it gave, and each of its answers has it.
  next(reply, call, asked) {
    const answer = bflAnswer(reply);
    const { request_id: id } = answer;
    if (asked) return isPending(answer) || !answer.status ? asked : undefined;
    if (typeof id !== 'string') return undefined;
    return {
      path: `${workflowPath(call)}/get_result`,
      body: { json: { id } },
      framing: 'none',
    };
  },
  decode: (replies, call) => bflImages(replies, call, {}),
};

const textToImage: ImageDialect = {
  encode(call, sources) {
    refuseMask(call, sources);
    checkCount(call, sources, 0);
    return workflow(call, '/text_to_image', ownParameters(call));
  },
  decode: (replies, call) => imagesMade(call, replies.flatMap(imagesIn)),
};

function workflow(
  call: ImageCall,
  operation: string,
  fields: Readonly<Record<string, unknown>>,
): readonly UpstreamCall[] {
  const advice = `Ask for an aspect_ratio of ${SHAPES.ratios.join(', ')}.`;
  const shape = askedShape(call, SHAPES, advice);
  const json = {
    prompt: call.request.prompt,
    ...joined(call, shape ? { aspect_ratio: shape.ratio } : {}, fields),
  };
  return imagesPerCall(call, 1).map(() => ({
    path: `${workflowPath(call)}${operation}`,
    body: { json },
    framing: 'none',
  }));
}

function workflowPath({ model }: ImageCall): string {
  return `/workflows/${modelPath(model.name)}`;
}

/** One object or a list of them, each with one image or a list of them. */
function imagesIn(reply: UpstreamReply): MadeImage[] {
  let body: unknown;
  try {
    body = reply.json();
  } catch {
    throw brokenAnswer('The provider did not answer in JSON.');
  }
  const answers = (Array.isArray(body) ? listOf(body) : [body]) as (Answer | null)[];
  return answers.flatMap((answer) => {
    const reason = answer?.finishReason ?? answer?.finish_reason;
    if (reason === 'CONTENT_FILTERED') throw moderated('The image was filtered.', 'content_filter');
    if (reason === 'ERROR') throw gaveUp(reason);
    const images: readonly unknown[] = Array.isArray(answer?.base64)
      ? listOf(answer.base64)
      : [answer?.base64];
    return images.flatMap((image) => (isText(image) ? [{ base64: image }] : []));
  });
}

interface Answer {
  readonly base64?: unknown;
  readonly finishReason?: unknown;
  readonly finish_reason?: unknown;
}
