import { type Fields, isText, present } from '../../../json/values.js';
import { type UpstreamCall } from '../../provider.js';
import { bedrockPath } from '../converse/bedrock-model.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  askedText,
  type ImageCall,
  imagesPerCall,
  joined,
  notTaken,
  ownParameters,
  withoutCount,
} from './image-request.js';
import { bedrockImagesMade } from './bedrock-image-answer.js';
import { pixelsOf } from './image-size.js';
import {
  base64Of,
  checkCount,
  refuseMask,
  sourceParam,
  type Sources,
  sourcesOf,
} from './image-sources.js';

/**
 * Amazon's own image models, Nova Canvas and Titan: a task with parameters of its own, up to five
 * images a call. A mask marks in black what to paint inside, and what to keep outside.
 * https://docs.aws.amazon.com/nova/latest/userguide/image-gen-access.html
 */
export const bedrockCanvas: ImageDialect = {
  encode,
  decode(replies, call) {
    const made = bedrockImagesMade(replies, call);
    return { ...made, image: kindOf(call, made.result.size) };
  },
};

const MOST_PER_CALL = 5;
const MOST_VARIED = 5;

/** The member that a task's parameters stand in, and how it is given its images. */
const TASKS = {
  TEXT_IMAGE: { member: 'textToImageParams', image: 'conditionImage' },
  COLOR_GUIDED_GENERATION: { member: 'colorGuidedGenerationParams', image: 'referenceImage' },
  IMAGE_VARIATION: { member: 'imageVariationParams', image: 'images' },
  INPAINTING: { member: 'inPaintingParams', image: 'image' },
  OUTPAINTING: { member: 'outPaintingParams', image: 'image' },
  BACKGROUND_REMOVAL: { member: 'backgroundRemovalParams', image: 'image' },
} as const;

type Task = keyof typeof TASKS;

/** Parameters of every task; the others belong to the task that runs. */
const SHARED = new Set(['seed', 'cfgScale', 'width', 'height']);

function encode(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const { taskType, imageGenerationConfig: _config, ...own } = ownParameters(call, ['quality']);
  const task = taskOf(call, taskType, sources, own);
  const { member } = TASKS[task];
  const { [member]: params, ...parameters } = own;
  const entries = Object.entries(parameters);
  const config = configOf(call);
  const body = {
    taskType: task,
    [member]: {
      ...(task !== 'BACKGROUND_REMOVAL' && { text: call.request.prompt }),
      ...sourceFields(call, sources, task),
      ...Object.fromEntries(entries.filter(([name]) => !SHARED.has(name))),
      ...(params as Fields | undefined),
    },
  };
  const path = bedrockPath(call.model.name, 'invoke');
  return imagesPerCall(call, MOST_PER_CALL).map((numberOfImages) => ({
    path,
    body: {
      json: {
        ...body,
        ...(task !== 'BACKGROUND_REMOVAL' && {
          imageGenerationConfig: { numberOfImages, ...config },
        }),
      },
    },
    framing: 'none',
  }));
}

/** What the images are to be like, in OpenAI's words and in its own. */
function configOf(call: ImageCall): Fields {
  const { imageGenerationConfig, ...own } = ownParameters(call, ['quality']);
  const shared = Object.entries(own).filter(([name]) => SHARED.has(name));
  return joined(
    call,
    { ...askedPixels(call), ...present({ quality: qualityOf(call) }) },
    {
      ...withoutCount(call, (imageGenerationConfig ?? {}) as Fields),
      ...Object.fromEntries(shared),
    },
  );
}

function taskOf(call: ImageCall, asked: unknown, { images, mask }: Sources, own: Fields): Task {
  if (typeof asked === 'string') {
    if (Object.hasOwn(TASKS, asked)) return asked as Task;
    throw notTaken(call, 'taskType', `It is one of ${Object.keys(TASKS).join(', ')}.`);
  }
  if (images.length === 0) return 'TEXT_IMAGE';
  return mask || own.maskPrompt !== undefined ? 'INPAINTING' : 'IMAGE_VARIATION';
}

function sourceFields(call: ImageCall, sources: Sources, task: Task): Fields {
  const images = sources.images.map((image, index) => base64Of(call, image, sourceParam(index)));
  const { image: field } = TASKS[task];
  const isPainted = task === 'INPAINTING' || task === 'OUTPAINTING';
  if (!isPainted) refuseMask(call, sources);
  checkCount(call, sources, task === 'IMAGE_VARIATION' ? MOST_VARIED : 1);
  return present({
    ...(images.length > 0 && { [field]: field === 'images' ? images : images[0] }),
    maskImage: sources.mask && base64Of(call, sources.mask, 'mask'),
  });
}

/** @throws GatewayError 400 for a quality that it has no word for. */
function qualityOf(call: ImageCall): string | undefined {
  const quality = askedText(call, 'quality');
  if (quality === undefined || quality === 'premium') return quality;
  if (quality === 'hd') return 'premium';
  throw notTaken(call, 'quality', 'It has standard and premium.');
}

/**
 * Its prices go by the longer side and the quality. Without a size an image from text has 1,024 pixels a
 * side, and what an edit makes shows it. https://aws.amazon.com/bedrock/pricing/
 */
function kindOf(call: ImageCall, made: string | null): { size: string; quality: string } {
  const { width, height, quality } = configOf(call);
  const isTold = width !== undefined || height !== undefined;
  const shown = sourcesOf(call).length > 0 ? pixelsOf(made ?? '') : undefined;
  const sides = isTold ? [width, height] : [shown?.width, shown?.height];
  const longest = Math.max(...sides.map((side) => Number(side ?? 1024)));
  const side = [512, 1024].find((most) => longest <= most) ?? 2048;
  return { size: `${side}x${side}`, quality: isText(quality) ? quality : 'standard' };
}
