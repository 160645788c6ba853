import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { Database } from '../database/database.service.js';
import { FILE_STORE, type FileStore } from './file-store.js';
import { type IncomingFile, IncomingFiles } from './incoming-files.service.js';
import { UploadCleaner } from './upload-cleaner.service.js';
import { roomFor, tooLargeFor } from './upload-quota.js';
import {
  addPending,
  confirm,
  giveUp,
  hide,
  lockAccount,
  type Taken,
  takenBy,
  type UploadRow,
  visibleTo,
} from './upload-rows.js';

/** A whole file that was received, and what is known of it. */
export type NewUpload = Pick<
  UploadRow,
  'account_id' | 'file_name' | 'file_size' | 'media_type' | 'purpose' | 'metadata'
> & { readonly days: number };

/** A page of a list, from 1. */
export interface PageAsked {
  readonly purpose?: string;
  readonly page: number;
  readonly limit: number;
}

/** The files of accounts: rows in the database, and bytes in the store. */
@Injectable()
export class Uploads {
  constructor(
    private readonly database: Database,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly incoming: IncomingFiles,
    private readonly cleaner: UploadCleaner,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** What an account's files take together. */
  taken(accountId: string): Promise<Taken> {
    return this.database.read((kysely) => takenBy(kysely, accountId, Date.now()));
  }

  /**
   * Takes over a file that was received; its account sees it when this resolves, and not before.
   *
   * @throws GatewayError 413 when it does not fit into the quota, 507 when the store is full, 503
   *   when the database or the store is away.
   */
  async add({ days, ...upload }: NewUpload, { path }: IncomingFile): Promise<UploadRow> {
    const now = Date.now();
    const row = {
      ...upload,
      id: randomUUID(),
      owner: this.incoming.owner,
      created_at: now,
      expires_at: now + days * DAY_MS,
    };
    return this.cleaner.whileStoring(row.id, async () => {
      await this.reserve(row);
      await this.keep(row.id, path);
      const isThere = await this.database.write((transaction) => confirm(transaction, row.id));
      if (isThere) return { ...row, state: 'stored' };
      throw new GatewayError(503, 'provider_unavailable', 'The upload took too long; try again.');
    });
  }

  /** A page of an account's files, newest first, and how many there are. */
  async list(
    accountId: string,
    { purpose, page, limit }: PageAsked,
  ): Promise<{ rows: readonly UploadRow[]; total: number }> {
    return this.database.read(async (kysely) => {
      const visible = visibleTo(kysely, accountId, Date.now()).$if(!!purpose, (query) =>
        query.where('purpose', '=', purpose ?? ''),
      );
      const { total } = await visible
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const skipped = (page - 1) * limit;
      if (skipped >= total) return { rows: [], total };
      const rows = await visible
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(skipped)
        .execute();
      return { rows, total };
    });
  }

  /** One file of an account; undefined when it has none by that id. */
  find(accountId: string, id: string): Promise<UploadRow | undefined> {
    return this.database.read((kysely) =>
      visibleTo(kysely, accountId, Date.now()).selectAll().where('id', '=', id).executeTakeFirst(),
    );
  }

  /** Deletes files of an account, all or those by these ids; says how many there were. */
  async delete(accountId: string, ids: readonly string[] | 'all'): Promise<number> {
    const hidden = await this.database.write((transaction) =>
      hide(transaction, { accountId, ids, now: Date.now() }),
    );
    await this.cleaner.remove(hidden);
    return hidden.length;
  }

  private async reserve(row: Omit<UploadRow, 'state'>): Promise<void> {
    const quota = this.config.uploadQuota;
    await this.database.write(async (transaction) => {
      await lockAccount(transaction, row.account_id);
      const room = roomFor(await takenBy(transaction, row.account_id, row.created_at), quota);
      if (row.file_size > room) throw tooLargeFor(room, quota);
      await addPending(transaction, row);
    });
  }

  private async keep(id: string, path: string): Promise<void> {
    try {
      await this.store.keep(id, path);
    } catch (error) {
      // Should this fail too, the next sweep finds the row.
      await this.database
        .write((transaction) => giveUp(transaction, id))
        .then(() => this.cleaner.remove([id]))
        .catch(() => undefined);
      throw error;
    }
  }
}

const DAY_MS = 86_400_000;
