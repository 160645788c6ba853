import { type Blob } from 'node:buffer';

/** Injection token of the `FileStore` that the settings ask for. */
export const FILE_STORE = Symbol('FILE_STORE');

/** What is known when a file is opened. */
export interface OpenOptions {
  /** How many bytes it has. */
  readonly size?: number;
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Keeps files under names of the gateway's own: on the local disk, or in a bucket. */
export interface FileStore {
  /**
   * Takes over the file at `path`, on the disk of `DATA_DIR`; it is durable when this resolves.
   * When it rejects, `remove` takes away what may be there.
   *
   * @throws GatewayError 507 when there is no room left, 503 when the store cannot be reached.
   */
  keep(name: string, path: string): Promise<void>;
  /**
   * The file's bytes, which stay on the disk; undefined when there is no such file.
   *
   * @throws GatewayError 503 when the store cannot be reached, or does not give all of it; the signal's
   *   reason when it is aborted.
   */
  open(name: string, mediaType: string, options?: OpenOptions): Promise<Blob | undefined>;
  /** Removes the file, if it is there. @throws GatewayError 503 when the store cannot be reached. */
  remove(name: string): Promise<void>;
  /** Removes what was only kept to be read again soon. */
  tidy?(): Promise<void>;
}
