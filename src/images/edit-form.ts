import busboy from 'busboy';
import { type IncomingMessage } from 'node:http';
import { GatewayError } from '../contract/gateway-error.js';
import { cutOff } from '../http/discard-rest.js';
import { invalidValue } from '../http/parameter-error.js';
import { whenSilent } from '../http/silence.js';
import { FormFields } from './form-fields.js';
import { MOST_IMAGE_BYTES, type ReceivedFile, type RequestFiles } from './request-files.js';

/** A file of the form, whatever it holds. */
export interface FormFile extends ReceivedFile {
  /** The part's name, which errors name. */
  readonly param: string;
  readonly name: string;
  /** As the caller declared it. */
  readonly mediaType: string;
}

/** The form of an edit: its texts as the JSON body has them, and its files. */
export interface EditForm {
  readonly fields: Record<string, unknown>;
  /** In the order of their numbers, where they have some. */
  readonly images: readonly FormFile[];
  readonly mask?: FormFile;
}

const MOST_PARTS = 1_000;
const MOST_FIELD_BYTES = 1024 * 1024;
/** Of all text parts together. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;
const MOST_IMAGES = 16;
const LONGEST_NAME = 200;
/** Of all that comes: also of what is no part, or of a part whose length is not judged before its end. */
const MOST_BYTES = (MOST_IMAGES + 1) * MOST_IMAGE_BYTES + 2 * MOST_TEXT_BYTES;

/**
 * Reads a `multipart/form-data` body to its end; parts may come in any order.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 *
 * @throws GatewayError 400 for a form that is broken or has parts that do not belong there, 408 for one
 *   that stands still, 413 for one or a part of it that is too long, and what `files` throws.
 */
export async function readEditForm(
  request: IncomingMessage,
  files: RequestFiles,
  mostBytes = MOST_BYTES,
): Promise<EditForm> {
  const form = parserFor(request);
  const parts = new FormParts(files);
  const { promise: ended, resolve, reject } = Promise.withResolvers<unknown>();
  const cutShort = (): void => {
    if (!request.complete) reject(broken('The request body ended too early.'));
  };
  let received = 0;
  const count = ({ length }: Buffer): void => {
    received += length;
    if (received > mostBytes) reject(tooLarge(`The form is larger than ${mostBytes} bytes.`));
  };
  form.on('field', (name, value, { valueTruncated }) => {
    attempt(reject, () => {
      if (valueTruncated) throw tooLong(name, MOST_FIELD_BYTES);
      parts.addText(checkedName(name), value);
    });
  });
  form.on('file', (name, stream, { filename, mimeType }) => {
    // What is left of it after a failure is nobody's, and neither is its own failure.
    stream.on('error', () => undefined);
    attempt(reject, () => {
      const sent = { name: filename, mediaType: mimeType };
      parts.addFile(checkedName(name), stream, sent).catch(reject);
    });
  });
  form.on('partsLimit', () => {
    reject(broken(`The form has more than ${MOST_PARTS} parts.`));
  });
  form.on('error', () => {
    reject(broken('The request body is not a whole multipart form.'));
  });
  form.on('close', resolve);
  request.on('close', cutShort).on('data', count);
  const unwatch = whenSilent(request, () => {
    reject(new GatewayError(408, 'request_timeout', 'The form stood still for too long.'));
  });
  if (request.destroyed) cutShort();
  try {
    request.pipe(form);
    await ended;
    return await parts.whole();
  } catch (error) {
    request.unpipe(form);
    request.pause();
    form.destroy();
    await parts.abandoned();
    throw error instanceof GatewayError ? cutOff(request, error) : error;
  } finally {
    unwatch();
    request.off('close', cutShort).off('data', count);
  }
}

class FormParts {
  private readonly fields = new FormFields();
  private readonly images: { order: number; file: Promise<FormFile> }[] = [];
  private mask: Promise<FormFile> | undefined;
  private textBytes = 0;

  constructor(private readonly files: RequestFiles) {}

  addText(name: string, value: string): void {
    if (placeOf(name)) {
      // What pages that write the form themselves, such as Swagger UI, send where no file was chosen.
      if (value === '') return;
      throw new GatewayError(400, 'invalid_type', `Invalid type for '${name}': expected a file.`, {
        param: name,
      });
    }
    this.textBytes += value.length;
    if (this.textBytes > MOST_TEXT_BYTES) throw tooLong(name, MOST_TEXT_BYTES);
    this.fields.add(name, value);
  }

  /** Rejects as soon as the file is at fault. */
  async addFile(
    param: string,
    stream: AsyncIterable<Buffer>,
    sent: { name: string | undefined; mediaType: string },
  ): Promise<void> {
    const place = placeOf(param);
    if (!place) {
      const message = `Unknown parameter: '${param}' is no file of an edit; send image, image[] or mask.`;
      throw new GatewayError(400, 'unsupported_parameter', message, { param });
    }
    if (place === 'mask' && this.mask) throw invalidValue(param, 'it was sent twice');
    if (place !== 'mask' && this.images.length === MOST_IMAGES) {
      const message = `Invalid '${param}': expected at most ${MOST_IMAGES} images.`;
      throw new GatewayError(400, 'invalid_value', message, { param });
    }
    const file = this.received(param, stream, sent);
    if (place === 'mask') this.mask = file;
    else this.images.push({ order: place.index ?? this.images.length, file });
    await file;
  }

  async whole(): Promise<EditForm> {
    const ordered = this.images.sort((one, other) => one.order - other.order);
    const images = await Promise.all(ordered.map(({ file }) => file));
    const mask = await this.mask;
    return {
      fields: this.fields.asBody(),
      images: images.filter((image) => !isEmptyInput(image)),
      ...(mask && !isEmptyInput(mask) && { mask }),
    };
  }

  /** Returns when nothing is written any more. */
  async abandoned(): Promise<void> {
    await Promise.allSettled([...this.images.map(({ file }) => file), this.mask]);
  }

  private async received(
    param: string,
    stream: AsyncIterable<Buffer>,
    { name, mediaType }: { name: string | undefined; mediaType: string },
  ): Promise<FormFile> {
    const limit = { most: MOST_IMAGE_BYTES, tooLarge: () => tooLong(param, MOST_IMAGE_BYTES) };
    const received = await this.files.receive(stream, limit);
    return { ...received, param, name: name ?? '', mediaType };
  }
}

/** Which file a part is; undefined for a name that no file has. */
function placeOf(name: string): 'mask' | { index?: number } | undefined {
  if (name === 'mask') return 'mask';
  const [found, index] = /^image(?:\[(\d{0,4})\])?$/.exec(name) ?? [];
  if (found === undefined) return undefined;
  return index ? { index: Number(index) } : {};
}

/** What a browser sends for a field of a form in which no file was chosen. */
function isEmptyInput({ name, file }: FormFile): boolean {
  return name === '' && file.size === 0;
}

function parserFor({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: { parts: MOST_PARTS, fields: MOST_PARTS, fieldSize: MOST_FIELD_BYTES },
    });
  } catch {
    throw broken('The request body is no multipart form: its Content-Type names no boundary.');
  }
}

function checkedName(name: string | undefined): string {
  if (name !== undefined && name !== '' && name.length <= LONGEST_NAME) return name;
  throw broken(`Every part of the form needs a name of 1 to ${LONGEST_NAME} characters.`);
}

function attempt(reject: (error: unknown) => void, work: () => void): void {
  try {
    work();
  } catch (error) {
    reject(error);
  }
}

function broken(message: string): GatewayError {
  return new GatewayError(400, 'invalid_request', message);
}

function tooLong(param: string, most: number): GatewayError {
  return tooLarge(`The part '${param}' is larger than ${most} bytes.`, { param });
}

function tooLarge(message: string, details?: { param: string }): GatewayError {
  return new GatewayError(413, 'request_too_large', message, details);
}
