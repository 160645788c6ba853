import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { type ImageFormat } from '../contract/image-header.js';
import { startSweeping } from '../schedule/sweep-timer.js';
import { makeDirectory } from '../files/directories.js';
import { DiskStore } from '../uploads/disk-store.js';
import { FILE_STORE, type FileStore } from '../uploads/file-store.js';
import { ScratchFiles } from './scratch-files.service.js';

/** An image that somebody has the address of. */
export interface KeptImage {
  readonly file: Blob;
  readonly mediaType: string;
  /** Whole seconds for which the address is still good. */
  readonly secondsLeft: number;
}

/** Unix seconds, 128 random bits, and the format. */
const NAME = /^(\d{10})-[\w-]{22}\.(png|jpeg|webp|gif)$/;
const KEPT_S = 86_400;
const SWEEP_EVERY_MS = 600_000;

/**
 * Keeps images whose callers asked for an address, for a day: in `DATA_DIR/images`, or in the bucket
 * with a file of no bytes there, by which it is found when its time is over.
 */
@Injectable()
export class ImageStore implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ImageStore.name);
  private readonly directory: string;
  private readonly store: FileStore;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(FILE_STORE) uploads: FileStore,
    private readonly scratch: ScratchFiles,
    private readonly keys: ApiKeys,
  ) {
    this.directory = join(config.dataDir, 'images');
    this.store = config.objectStore ? uploads : new DiskStore(this.directory);
  }

  /**
   * The path under which anybody can read the image for a day.
   *
   * @throws GatewayError 507 or 503 when it cannot be stored.
   */
  async keep(bytes: Buffer, format: ImageFormat): Promise<string> {
    await makeDirectory(this.directory);
    const expires = Math.floor(Date.now() / 1000) + KEPT_S;
    const name = `${expires}-${randomBytes(16).toString('base64url')}.${format}`;
    const path = await this.scratch.newPath();
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
      if (this.config.objectStore) await writeFile(join(this.directory, name), '');
      await this.store.keep(name, path);
    } finally {
      await rm(path, { force: true });
    }
    return `/v3/images/files/${name}?signature=${this.signatureOf(name)}`;
  }

  /** The image; undefined for a name that nobody signed, or whose time is over. */
  async open(name: string, signature: string): Promise<KeptImage | undefined> {
    const [, expires = '', format = ''] = NAME.exec(name) ?? [];
    const secondsLeft = Number(expires) - Math.floor(Date.now() / 1000);
    if (format === '' || secondsLeft <= 0) return undefined;
    if (!isSame(signature, this.signatureOf(name))) return undefined;
    const mediaType = `image/${format}`;
    const file = await this.store.open(name, mediaType);
    return file && { file: file, mediaType, secondsLeft };
  }

  onApplicationBootstrap(): void {
    const sweep = () => this.sweep();
    this.timer = startSweeping(SWEEP_EVERY_MS, sweep, (reason) => {
      this.logger.warn(`Images cannot be cleaned up now: ${String(reason)}`);
    });
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Deletes the images whose time is over. */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const [, expires] = NAME.exec(name) ?? [];
      if (expires === undefined || Number(expires) * 1000 > now) continue;
      await this.store.remove(name);
      await rm(join(this.directory, name), { force: true });
    }
  }

  private signatureOf(name: string): string {
    return this.keys.signature(`image-file ${name}`);
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
