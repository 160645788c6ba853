import { Inject, Injectable } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { bodyCheck, type BodyCheck } from '../http/body-check.js';
import { cutOff } from '../http/discard-rest.js';
import { readBody } from '../http/read-body.js';
import { UploadForm } from './dto/file-requests.dto.js';
import { fileKind } from './file-kind.js';
import { checkedFileName } from './file-name.js';
import { checkedForm } from './form-check.js';
import { type Form, readForm } from './form-reader.js';
import { type IncomingFile, IncomingFiles } from './incoming-files.service.js';
import { roomFor, tooLargeFor } from './upload-quota.js';
import { type UploadRow } from './upload-rows.js';
import { Uploads } from './uploads.service.js';

/** Receives files. */
@Injectable()
export class UploadIntake {
  private readonly check: BodyCheck;
  /** The bytes of files that are being received, by account: they lie on the disk already. */
  private readonly underway = new Map<string, number>();

  constructor(
    private readonly uploads: Uploads,
    private readonly incoming: IncomingFiles,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.check = bodyCheck(UploadForm, config);
  }

  /**
   * Reads a request's form and keeps its file; one that is refused leaves nothing behind.
   *
   * @throws GatewayError 4xx for a form or a file that is wrong, 507, 503.
   */
  async receive(request: IncomingMessage, accountId: string): Promise<UploadRow> {
    const file = await this.incoming.begin();
    try {
      return await this.keep(request, accountId, file);
    } finally {
      await this.incoming.discard(file);
    }
  }

  private async keep(
    request: IncomingMessage,
    accountId: string,
    incoming: IncomingFile,
  ): Promise<UploadRow> {
    const form = await this.read(request, accountId, incoming.path);
    const { file, fields } = checkedForm(form, this.check);
    const file_name = checkedFileName(file.name);
    if (file.bytes === 0) throw new GatewayError(400, 'invalid_request', 'The file is empty.');
    const { mediaType, metadata } = await fileKind(incoming.path, file);
    return this.uploads.add(
      {
        account_id: accountId,
        file_name,
        file_size: file.bytes,
        media_type: mediaType,
        purpose: fields.purpose,
        metadata: JSON.stringify(metadata),
        days: fields.expires_in_days,
      },
      incoming,
    );
  }

  private async read(request: IncomingMessage, accountId: string, path: string): Promise<Form> {
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (type !== 'multipart/form-data') {
      const body = await readBody(request, this.config.bodyLimitBytes);
      return type === URL_ENCODED ? urlEncodedForm(body) : { fields: new Map(), file: undefined };
    }
    checkEncoding(request);
    const { room, release } = await this.reserve(request, accountId).catch((error: unknown) => {
      throw error instanceof GatewayError ? cutOff(request, error) : error;
    });
    const form = readForm(request, {
      fields: ['expires_in_days', 'purpose'],
      file: 'file',
      path,
      mostFileBytes: room,
      tooLarge: () => tooLargeFor(room, this.config.uploadQuota),
    });
    return form.finally(release);
  }

  /** Keeps room for as much as the request may bring, so that others at the same time have the rest. */
  private async reserve({ headers }: IncomingMessage, accountId: string) {
    const { bytes, files } = await this.uploads.taken(accountId);
    const before = this.underway.get(accountId) ?? 0;
    const room = roomFor({ bytes: bytes + before, files }, this.config.uploadQuota);
    const reserved = Math.min(room, Number(headers['content-length'] ?? room));
    this.underway.set(accountId, before + reserved);
    const release = (): void => {
      const left = (this.underway.get(accountId) ?? 0) - reserved;
      if (left > 0) this.underway.set(accountId, left);
      else this.underway.delete(accountId);
    };
    return { room, release };
  }
}

const URL_ENCODED = 'application/x-www-form-urlencoded';

/** The time that is taken by the fields of such a form grows with the square of their number. */
const MOST_URL_ENCODED_BYTES = 64 * 1024;

/** Such a form cannot hold a file, only say that it should have one; a long one does not say the rest. */
function urlEncodedForm(body: Buffer): Form {
  if (body.length > MOST_URL_ENCODED_BYTES) {
    return { fields: new Map(), file: body.includes('file=') ? 'text' : undefined };
  }
  const fields = new Map(new URLSearchParams(body.toString()));
  return { fields, file: fields.get('file') ? 'text' : undefined };
}

function checkEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return;
  throw cutOff(
    request,
    new GatewayError(
      415,
      'unsupported_media_type',
      'The content encoding is not supported; send a form without any.',
    ),
  );
}
