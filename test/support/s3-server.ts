import { createRequire } from 'node:module';
import { temporaryDirectory } from './databases.js';

/** An object store on loopback, and the settings by which a gateway uses it. */
export interface S3Server {
  readonly settings: Record<string, string>;
  /** Where it keeps its objects. */
  readonly directory: string;
  close(): Promise<void>;
}

/** Starts an object store with one empty bucket. */
export async function startS3(): Promise<S3Server> {
  const require = createRequire(import.meta.url);
  const Store = require('s3rver') as new (options: object) => {
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  };
  const directory = temporaryDirectory();
  const store = new Store({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'files' }],
  });
  const { port } = await store.run();
  return {
    directory,
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'files',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    close: () => store.close(),
  };
}
