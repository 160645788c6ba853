import { type CheckedBody } from '../contract/checked-body.js';
import { type BodyCheck } from '../http/body-check.js';
import { BODY_REFUSALS } from '../http/body-refusals.js';
import { checkExtraHeaders } from '../http/extra-headers.js';
import { GatewayError } from '../contract/gateway-error.js';
import { timeSliced } from '../json/time-sliced.js';
import { type CreateImageEditBody, type ImageRef } from './dto/create-image-edit-body.dto.js';
import { holdsBase64, isDataUrl } from './data-url.js';
import { type EditForm, type FormFile } from './edit-form.js';
import { type RequestFiles } from './request-files.js';

/** Where a source image comes from: the caller's words for it, or a file that came with the request. */
export type Given = { readonly param: string } & (
  { readonly ref: ImageRef } | { readonly upload: FormFile }
);

/** An edit that has passed its checks, in whichever form it came; its images are not looked at yet. */
export interface EditInput {
  readonly body: CheckedBody<{ model: string; prompt: string }>;
  readonly images: readonly Given[];
  readonly mask: Given | undefined;
  /** Holds the files of the request, and those that are still to come. */
  readonly files: RequestFiles;
}

/** An edit that came as JSON. */
export async function fromJson(
  body: CheckedBody<CreateImageEditBody>,
  files: RequestFiles,
): Promise<EditInput> {
  const { images, mask } = body.value;
  const given = images.map((ref, index) => ({ param: `images[${index}]`, ref }));
  const all = await timeSliced(readable(mask ? [...given, { param: 'mask', ref: mask }] : given));
  return { body, images: all.slice(0, images.length), mask: all[images.length], files };
}

/** An address with broken base64 is cut, so that it is refused where any other wrong one is. */
function* readable(given: readonly { param: string; ref: ImageRef }[]): Generator<void, Given[]> {
  const kept: Given[] = [];
  for (const { param, ref } of given) {
    const { image_url: url } = ref;
    const isWhole = url == null || !isDataUrl(url) || (yield* holdsBase64(url));
    kept.push({ param, ref: isWhole ? ref : { image_url: 'data:' } });
  }
  return kept;
}

/**
 * An edit that came as a form.
 *
 * @throws GatewayError 400 as for the same fields in JSON.
 */
export function fromForm(
  { fields, images, mask }: EditForm,
  { check }: BodyCheck,
  files: RequestFiles,
): EditInput {
  const bytes = Buffer.from(JSON.stringify(fields));
  const { problems, edits } = check(fields);
  const [first, ...rest] = problems;
  if (first) throw BODY_REFUSALS.openai.problems([first, ...rest]);
  const { extra_headers: headers } = fields as { extra_headers?: Record<string, string> };
  if (headers) checkExtraHeaders(headers);
  if (images.length === 0) {
    const message = "Missing required parameter: 'image'.";
    throw new GatewayError(400, 'missing_required_parameter', message, { param: 'image' });
  }
  return {
    body: { value: fields as { model: string; prompt: string }, bytes, edits },
    images: images.map((upload) => ({ param: upload.param, upload })),
    mask: mask && { param: 'mask', upload: mask },
    files,
  };
}
