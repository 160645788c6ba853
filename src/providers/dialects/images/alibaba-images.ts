import { isText, listOf, parsedObject, present } from '../../../json/values.js';
import { type Place } from '../../place.js';
import { type Decoded, type UpstreamCall, type UpstreamReply } from '../../provider.js';
import { type ImageDialect } from './image-dialect.js';
import {
  askedPixels,
  type ImageCall,
  imagesPerCall,
  joined,
  ownParameters,
} from './image-request.js';
import { gaveUp, imagesMade, type MadeImage, mediaTypeAt, moderated } from './image-result.js';
import { sizeText } from './image-size.js';
import { addressOf, checkCount, refuseMask, type Sources } from './image-sources.js';
import { replyObject } from '../reply-object.js';

/**
 * Alibaba's images, in DashScope's own format: the newer models answer at once, the older Wan models
 * with a task to ask for. https://www.alibabacloud.com/help/en/model-studio/qwen-image-api,
 * …/text-to-image-v2-api-reference
 */
export const alibabaImages: ImageDialect = {
  encode: (call, sources) => {
    refuseMask(call, sources);
    return isTask(call.model.name) ? taskCalls(call, sources) : messageCalls(call, sources);
  },
  decode,
  next(reply, call) {
    const output = (parsedObject(reply.bytes.toString()) as Answer | undefined)?.output;
    const { task_id: id, task_status: status } = output ?? {};
    if (typeof id !== 'string' || typeof status !== 'string' || ENDS.has(status)) {
      return undefined;
    }
    const path = `${apiPath(call.place)}/tasks/${encodeURIComponent(id)}`;
    return { method: 'GET', path, framing: 'none' };
  },
};

/** All others go on, also those that nobody knows. Of a task that is lost nothing is known: `UNKNOWN`. */
const ENDS = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN']);

/** Only the models since Wan 2.6 answer at once. */
function isTask(name: string): boolean {
  return /^(wanx|wan1|wan2\.[0-5])/.test(name);
}

/** Its own API stands beside the one in OpenAI's format, whose address is the provider's. */
function apiPath({ path = '' }: Place): string {
  return path.endsWith('/compatible-mode/v1') ? '/../../api/v1' : '/api/v1';
}

function messageCalls(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  checkCount(call, sources, MOST_SOURCES);
  const images = sources.images.map((image) => ({ image: addressOf(image) }));
  const content = [...images, { text: call.request.prompt }];
  return imagesPerCall(call, mostPerCall(call.model.name)).map((n) => ({
    path: `${apiPath(call.place)}/services/aigc/multimodal-generation/generation`,
    body: {
      json: {
        model: call.model.name,
        input: { messages: [{ role: 'user', content }] },
        parameters: parameters(call, n),
      },
    },
    framing: 'none',
  }));
}

const MOST_SOURCES = 10;

/** https://www.alibabacloud.com/help/en/model-studio/qwen-image-api#parameters */
function mostPerCall(name: string): number {
  if (/^qwen-image(-plus|-max)?(-20\d\d.*)?$/.test(name)) return 1;
  return name.startsWith('wan') ? 4 : 6;
}

function taskCalls(call: ImageCall, sources: Sources): readonly UpstreamCall[] {
  const images = sources.images.map(addressOf);
  const service = images.length > 0 ? 'image2image' : 'text2image';
  return imagesPerCall(call, 4).map((n) => ({
    path: `${apiPath(call.place)}/services/aigc/${service}/image-synthesis`,
    headers: { 'x-dashscope-async': 'enable' },
    body: {
      json: {
        model: call.model.name,
        input: { prompt: call.request.prompt, ...(images.length > 0 && { images }) },
        parameters: parameters(call, n),
      },
    },
    framing: 'none',
    beginsTask: true,
  }));
}

function parameters(call: ImageCall, n: number): Record<string, unknown> {
  const pixels = askedPixels(call);
  const size = pixels && `${pixels.width}*${pixels.height}`;
  return { n, ...joined(call, present({ size }), ownParameters(call)) };
}

function decode(replies: readonly UpstreamReply[], call: ImageCall): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as Answer);
  const images = answers.flatMap(imagesIn);
  const failed = answers.map(({ output }) => output).find((output) => failureIn(output));
  if (images.length === 0 && failed) {
    const { code, message } = failureIn(failed) ?? {};
    const said = typeof message === 'string' ? message : undefined;
    if (typeof code === 'string' && REFUSAL.test(code)) throw moderated(said ?? code, code);
    throw gaveUp(said ?? code ?? failed.task_status);
  }
  const size = sizeIn(answers[0]?.usage) ?? sizeText(askedPixels(call));
  return imagesMade(
    call,
    images.map((image) => ({ ...image, size })),
  );
}

/**
 * Also what the task finds only then: a size, an address or a picture that it does not take
 * (`InvalidParameter`).
 * https://www.alibabacloud.com/help/en/model-studio/error-code
 */
const REFUSAL = /^Invalid(?!ApiKey)|DataInspection|Inappropriate|IPInfringement/i;

function imagesIn({ output }: Answer): MadeImage[] {
  const messages = listOf(output?.choices) as (Choice | null)[];
  const parts = messages.flatMap((choice) => listOf(choice?.message?.content)) as (Part | null)[];
  const results = listOf(output?.results) as (Result | null)[];
  return [
    ...parts.flatMap((part) => made(part?.image)),
    ...results.flatMap((result) => made(result?.url, result?.actual_prompt)),
  ];
}

function made(url: unknown, prompt?: unknown): MadeImage[] {
  if (typeof url !== 'string' || url === '') return [];
  return [{ url, mediaType: mediaTypeAt(url), ...(isText(prompt) && { revisedPrompt: prompt }) }];
}

/** Of a whole task, or of each of its images. */
function failureIn(output: Output | null | undefined): Failure | undefined {
  const results = listOf(output?.results) as (Failure | null)[];
  const failed = [output as Failure | null | undefined, ...results].find((item) => item?.code);
  if (failed) return failed;
  return output?.task_status !== undefined && output.task_status !== 'SUCCEEDED' ? {} : undefined;
}

function sizeIn(usage: unknown): string | undefined {
  const { width, height } = (usage ?? {}) as { width?: unknown; height?: unknown };
  const isSized = Number.isInteger(width) && Number.isInteger(height);
  return isSized ? `${String(width)}x${String(height)}` : undefined;
}

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
}

interface Output {
  readonly task_id?: unknown;
  readonly task_status?: unknown;
  readonly choices?: unknown;
  readonly results?: unknown;
}

interface Answer {
  readonly output?: Output | null;
  readonly usage?: unknown;
}

interface Choice {
  readonly message?: { readonly content?: unknown } | null;
}

interface Part {
  readonly image?: unknown;
}

interface Result {
  readonly url?: unknown;
  readonly actual_prompt?: unknown;
}
