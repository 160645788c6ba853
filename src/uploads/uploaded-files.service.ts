import { Inject, Injectable } from '@nestjs/common';
import { type Blob } from 'node:buffer';
import { type Caller } from '../contract/caller.js';
import { readUuid } from '../validation/uuid.js';
import { FILE_STORE, type FileStore } from './file-store.js';
import { Uploads } from './uploads.service.js';

/** A file that a caller refers to. */
export interface UploadedFile {
  /** Its bytes, which are on the disk and not in memory. */
  readonly blob: Blob;
  /** Detected from its content. */
  readonly mediaType: string;
  readonly fileName: string;
}

/** Gives other endpoints the files that callers name by their ids. */
@Injectable()
export class UploadedFiles {
  constructor(
    private readonly uploads: Uploads,
    @Inject(FILE_STORE) private readonly store: FileStore,
  ) {}

  /**
   * The caller's file by that id, in any of the forms of a UUID; undefined when there is none, when
   * it is another account's, or has expired.
   *
   * @param signal aborted when nobody waits for it any more.
   * @throws GatewayError 503 while the database or the store is away; the signal's reason when it is aborted.
   */
  async open(
    { accountId }: Caller,
    fileId: string,
    signal?: AbortSignal,
  ): Promise<UploadedFile | undefined> {
    const reading = readUuid(fileId);
    if ('error' in reading) return undefined;
    const row = await this.uploads.find(accountId, reading.uuid);
    const blob =
      row && (await this.store.open(row.id, row.media_type, { size: row.file_size, signal }));
    return blob && { blob, mediaType: row.media_type, fileName: row.file_name };
  }
}
