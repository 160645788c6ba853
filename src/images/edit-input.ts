import { type CheckedBody } from '../contract/checked-body.js';
import { type BodyCheck } from '../http/body-check.js';
import { BODY_REFUSALS } from '../http/body-refusals.js';
import { checkExtraHeaders } from '../http/extra-headers.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type CreateImageEditBody, type ImageRef } from './dto/create-image-edit-body.dto.js';
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
export function fromJson(body: CheckedBody<CreateImageEditBody>, files: RequestFiles): EditInput {
  const { images, mask } = body.value;
  return {
    body,
    images: images.map((ref, index) => ({ param: `images[${index}]`, ref })),
    mask: mask ? { param: 'mask', ref: mask } : undefined,
    files,
  };
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
