import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, type ObjectStore } from '../config/config.js';
import { uploadDirectories } from './directories.js';
import { IncomingFiles } from './incoming-files.service.js';
import { askStore } from './s3-request.js';
import { S3Store } from './s3-store.js';

describe('a bucket', () => {
  let server: Server;
  let store: ObjectStore;
  let dataDir: string;
  let handler: RequestListener;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'causeway-s3-'));
    server = createServer((request, response) => {
      handler(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    store = {
      endpoint: new URL(`http://127.0.0.1:${port}`),
      ...{ bucket: 'files', region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'secret' },
    };
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('that does not answer is given up as one that cannot be reached', async () => {
    handler = () => undefined;
    const asked = askStore(store, 'uploads/x', { method: 'GET' }, 100);
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'provider_unavailable' });
  });

  it.each([
    ['breaks off', (_request, response) => response.destroy()],
    [
      'breaks off in a file',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('x');
        setTimeout(() => response.destroy(), 50);
      },
    ],
  ] as [string, RequestListener][])(
    'that %s cannot be reached, and leaves no part',
    async (_, act) => {
      handler = act;
      const incoming = new IncomingFiles({ dataDir } as Config);
      const opened = new S3Store(store, incoming, { dataDir }).open('x', 'image/png');
      await expect(opened).rejects.toMatchObject({ status: 503, code: 'provider_unavailable' });
      const { incoming: parts, copies } = uploadDirectories(dataDir);
      const left = await Promise.all([parts, copies].map((path) => readdir(path).catch(() => [])));
      expect(left.flat()).toEqual([]);
    },
  );
});
