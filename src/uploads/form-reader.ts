import busboy from 'busboy';
import { createWriteStream } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '../contract/gateway-error.js';
import { cutOff } from '../http/discard-rest.js';
import { whenSilent } from '../http/silence.js';
import { storageFailure } from './storage-failure.js';

/** A file that a form had, written to the disk. */
export interface FormFile {
  /** As the caller wrote it. */
  readonly name: string;
  /** The media type that the caller declared. */
  readonly declaredType: string;
  readonly bytes: number;
}

/** What a form had. */
export interface Form {
  /** The wanted text fields, the last value of each; a file in the place of a text is null. */
  readonly fields: ReadonlyMap<string, string | null>;
  /** `text` when the field of the file was there, but as a text; an empty one leaves it out. */
  readonly file: FormFile | 'text' | undefined;
}

/** What is wanted of a form. */
export interface WantedForm {
  readonly fields: readonly string[];
  readonly file: string;
  /** Where the file is written to; nothing may be there yet. */
  readonly path: string;
  readonly mostFileBytes: number;
  /** The error for a larger one. */
  readonly tooLarge: () => GatewayError;
}

/**
 * Reads a `multipart/form-data` body as it comes in; its one file goes to the disk, at the pace of
 * the disk. When this rejects, nobody writes to the file any more, but it may be there.
 *
 * @throws GatewayError 400 for a form that is broken, has too many parts or two files, or ends too
 *   early; 408 when nothing comes in; 413 when it is too large; 507 when the disk is full.
 */
export async function readForm(request: IncomingMessage, wanted: WantedForm): Promise<Form> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > wanted.mostFileBytes + MOST_OTHER_BYTES) throw cutOff(request, wanted.tooLarge());
  const parser = parserFor(request, wanted.mostFileBytes);
  const reading = new FormReading(request, wanted, parser);
  try {
    return await reading.form;
  } catch (error) {
    throw cutOff(request, await reading.abandon(error));
  }
}

/** What a form may have beside the file's bytes. */
const MOST_OTHER_BYTES = 2 * 1024 * 1024;
const MOST_FIELD_BYTES = 1024 * 1024;
const MOST_PARTS = 1_000;
/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1, which allows 70 characters. */
const BOUNDARY = /;\s*boundary=(?:"[^"]{1,200}"|[^\s;"]{1,200})\s*(?:;|$)/i;

class FormReading {
  readonly form: Promise<Form>;
  private readonly fields = new Map<string, string | null>();
  private file: Promise<FormFile> | 'text' | undefined;
  private received = 0;
  private readonly outcome = Promise.withResolvers<undefined>();
  private readonly unwatch: () => void;

  constructor(
    private readonly request: IncomingMessage,
    private readonly wanted: WantedForm,
    private readonly parser: busboy.Busboy,
  ) {
    this.form = this.read();
    this.unwatch = whenSilent(request, () => {
      this.fail(408, 'request_timeout', 'The upload stood still for too long.');
    });
    request.on('data', this.onData).on('close', this.onClose).on('error', this.onClose);
    this.parser
      .on('file', this.onFile)
      .on('field', this.onField)
      .on('partsLimit', () => {
        this.fail(400, 'invalid_request', `The form has more than ${MOST_PARTS} parts.`);
      })
      .on('error', (error) => {
        this.fail(400, 'invalid_request', `The form is broken: ${(error as Error).message}.`);
      })
      .on('close', () => {
        this.outcome.resolve(undefined);
      });
    if (request.destroyed) this.onClose();
    else request.pipe(this.parser);
  }

  /** Stops; resolves with the error for the caller when the file is let go of. */
  async abandon(error: unknown): Promise<GatewayError> {
    this.request.unpipe(this.parser);
    this.request.pause();
    this.parser.destroy();
    await Promise.allSettled([this.file]);
    return storageFailure(error);
  }

  private async read(): Promise<Form> {
    try {
      await this.outcome.promise;
      return { fields: this.fields, file: await this.file };
    } finally {
      this.unwatch();
      this.request.off('data', this.onData).off('close', this.onClose);
    }
  }

  private readonly onData = (chunk: Buffer): void => {
    this.received += chunk.length;
    if (this.received > this.wanted.mostFileBytes + MOST_OTHER_BYTES)
      this.failWith(this.wanted.tooLarge());
  };

  private readonly onClose = (): void => {
    if (!this.request.complete)
      this.fail(400, 'invalid_request', 'The request body ended too early.');
  };

  private readonly onFile = (
    name: string | undefined,
    content: Readable,
    { filename, mimeType }: { filename: string | undefined; mimeType: string },
  ): void => {
    // Without a reader, the parser would wait; an error shows as one of the whole form.
    content.on('error', () => undefined);
    if (name !== this.wanted.file || filename === undefined) {
      const note = (): void => {
        this.note(name, null);
      };
      // Where no file was chosen, browsers send one with neither a name nor bytes.
      if (name === this.wanted.file) content.once('data', note);
      else note();
      content.resume();
      return;
    }
    if (this.isSecondFile()) return;
    content.once('limit', () => {
      this.failWith(this.wanted.tooLarge());
    });
    this.file = this.write(content, { name: filename, declaredType: mimeType });
    this.file.catch((error: unknown) => {
      this.failWith(storageFailure(error));
    });
  };

  private readonly onField = (
    name: string | undefined,
    value: string,
    { valueTruncated }: { valueTruncated: boolean },
  ): void => {
    if (!valueTruncated) this.note(name, value);
    else this.fail(400, 'invalid_request', `A field has more than ${MOST_FIELD_BYTES} bytes.`);
  };

  private note(name: string | undefined, value: string | null): void {
    if (name === undefined) {
      this.fail(400, 'invalid_request', 'A part of the form has no name.');
    } else if (name === this.wanted.file) {
      if (value !== '' && !this.isSecondFile()) this.file = 'text';
    } else if (this.wanted.fields.includes(name)) {
      this.fields.set(name, value);
    }
  }

  private isSecondFile(): boolean {
    if (this.file === undefined) return false;
    this.fail(400, 'invalid_request', `The form has more than one part named ${this.wanted.file}.`);
    return true;
  }

  private async write(
    content: Readable,
    described: Pick<FormFile, 'name' | 'declaredType'>,
  ): Promise<FormFile> {
    // Flushed to the disk before it is closed.
    const file = createWriteStream(this.wanted.path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(content, file);
    return { ...described, bytes: file.bytesWritten };
  }

  private fail(...[status, code, message]: ConstructorParameters<typeof GatewayError>): void {
    this.failWith(new GatewayError(status, code, message));
  }

  private failWith(error: GatewayError): void {
    this.outcome.reject(error);
  }
}

function parserFor(request: IncomingMessage, mostFileBytes: number): busboy.Busboy {
  if (!BOUNDARY.test(request.headers['content-type'] ?? '')) throw noBoundary(request);
  try {
    return busboy({
      headers: request.headers,
      preservePath: true,
      defParamCharset: 'utf8',
      limits: {
        // Both count as reached when exactly so much has come.
        fileSize: mostFileBytes + 1,
        parts: MOST_PARTS + 1,
        fieldSize: MOST_FIELD_BYTES,
      },
    });
  } catch {
    throw noBoundary(request);
  }
}

function noBoundary(request: IncomingMessage): GatewayError {
  return cutOff(
    request,
    new GatewayError(400, 'invalid_request', 'Missing boundary in multipart.'),
  );
}
