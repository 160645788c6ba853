import { createHash } from 'node:crypto';
import { type Fields, isObject, listOf } from '../json/values.js';
import { type Answer, frame, type SandboxCall, type SandboxEndpoint } from './answer.js';
import { SourceFile } from './form.js';
import { encodePng, GRID } from './png.js';
import { Refusal } from './refusal.js';
import { countTokens } from './tokens.js';

const USUAL_SIZE = '1024x1024';
const LONGEST_SIDE = 4096;
const MOST_IMAGES = 10;
const MOST_SOURCES = 16;
const MOST_PREVIEWS = 3;
const COLOURS = 4;
const SOURCE_TOKENS = 256;
const PIXELS_PER_TOKEN = 1024;

/** OpenAI's image generation. https://platform.openai.com/docs/api-reference/images/create */
export const generateImages: SandboxEndpoint = (call) => answer(call, 'image_generation', []);

/** OpenAI's image edits. https://platform.openai.com/docs/api-reference/images/createEdit */
export const editImages: SandboxEndpoint = (call) => {
  const { images, mask } = call.body;
  const sources = listOf(images).map((image, at) => sourceOf(image, `images[${at}]`));
  if (sources.length === 0 || sources.length > MOST_SOURCES) {
    throw refuse('images', `expected 1 to ${MOST_SOURCES} images`);
  }
  if (mask !== undefined && mask !== null) sources.push(sourceOf(mask, 'mask'));
  return answer(call, 'image_edit', sources);
};

async function answer(
  { body, created }: SandboxCall,
  event: string,
  sources: readonly Buffer[],
): Promise<Answer> {
  const { prompt } = body;
  if (typeof prompt !== 'string' || prompt === '') throw refuse('prompt', 'expected a text');
  const n = countOf(body, 'n', 1, MOST_IMAGES) ?? 1;
  const previews = countOf(body, 'partial_images', 0, MOST_PREVIEWS) ?? 0;
  const { size, width, height } = sizeOf(body.size);
  const images: string[] = [];
  for (let index = 0; index < n; index++) {
    images.push(await draw([prompt, `${index}`, ...sources], width, height));
  }
  const shape = {
    size,
    output_format: 'png',
    background: 'opaque',
    quality: typeof body.quality === 'string' ? body.quality : 'auto',
  };
  const pixels = width * height;
  const usage = (count: number) => usageOf(prompt, sources.length, count * pixels);
  if (body.stream !== true) {
    const data = images.map((b64_json) => ({ b64_json }));
    return { json: { created, ...shape, data, usage: usage(n) } };
  }
  const events = images.flatMap((b64_json) => {
    const base = { b64_json, created_at: created, ...shape };
    const preview = (index: number) => ({ ...base, partial_image_index: index });
    return [
      ...Array.from({ length: previews }, (_, index) =>
        frame({ type: `${event}.partial_image`, ...preview(index) }, `${event}.partial_image`),
      ),
      frame({ type: `${event}.completed`, ...base, usage: usage(1) }, `${event}.completed`),
    ];
  });
  return { frames: events };
}

/** A mosaic, the same on both halves as faces are, in colours and cells that the seeds decide. */
async function draw(seeds: readonly (string | Buffer)[], width: number, height: number) {
  const hash = createHash('shake256', { outputLength: COLOURS * 3 + GRID * GRID });
  for (const seed of seeds) hash.update(seed);
  const bytes = hash.digest();
  const cells = Array.from({ length: GRID * GRID }, (_, at) => {
    const column = at % GRID;
    const mirrored = Math.min(column, GRID - 1 - column);
    return (bytes[COLOURS * 3 + at - column + mirrored] ?? 0) % COLOURS;
  });
  const palette = bytes.subarray(0, COLOURS * 3);
  return (await encodePng({ width, height, palette, cells })).toString('base64');
}

function usageOf(prompt: string, sources: number, pixels: number) {
  const text = countTokens(prompt);
  const image = sources * SOURCE_TOKENS;
  const output = Math.ceil(pixels / PIXELS_PER_TOKEN);
  return {
    total_tokens: text + image + output,
    input_tokens: text + image,
    output_tokens: output,
    input_tokens_details: { text_tokens: text, image_tokens: image },
  };
}

function sizeOf(value: unknown) {
  const size = value === undefined || value === null || value === 'auto' ? USUAL_SIZE : value;
  const sides = typeof size === 'string' ? /^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(size) : null;
  const [width = 0, height = 0] = (sides ?? []).slice(1).map(Number);
  const fits = width > 0 && width <= LONGEST_SIDE && height <= LONGEST_SIDE;
  if (typeof size === 'string' && fits) return { size, width, height };
  throw refuse('size', `expected 'auto' or a size from 1x1 to ${LONGEST_SIDE}x${LONGEST_SIDE}`);
}

function countOf(body: Fields, field: string, least: number, most: number): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  const isCount = typeof value === 'number' && Number.isInteger(value);
  if (isCount && value >= least && value <= most) return value;
  throw refuse(field, `expected a whole number from ${least} to ${most}`);
}

function sourceOf(image: unknown, param: string): Buffer {
  const { head, digest } =
    image instanceof SourceFile
      ? image
      : SourceFile.of(dataOf(isObject(image) ? image.image_url : undefined, `${param}.image_url`));
  if (isImage(head)) return digest;
  throw refuse(param, 'the bytes are no PNG, JPEG, GIF or WebP image');
}

function dataOf(url: unknown, param: string): Buffer {
  if (typeof url !== 'string') throw refuse(param, 'expected a data: URL');
  if (url.startsWith('https:')) {
    const message = `'${param}': the sandbox fetches nothing; send a data: URL or a file_id.`;
    throw new Refusal(400, message, { param, code: 'remote_url_not_supported' });
  }
  const head = /^data:image\/[\w.+-]+;base64,/.exec(url)?.[0];
  if (head !== undefined) return Buffer.from(url.slice(head.length), 'base64');
  const message = `'${param}': expected data:image/<type>;base64,<data>.`;
  throw new Refusal(400, message, { param, code: 'invalid_image_url' });
}

function isImage(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12);
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('\xff\xd8\xff') ||
    /^GIF8[79]a/.test(head) ||
    /^RIFF[^]{4}WEBP/.test(head)
  );
}

function refuse(param: string, problem: string): Refusal {
  return new Refusal(400, `Invalid '${param}': ${problem}.`, { param, code: 'invalid_value' });
}
