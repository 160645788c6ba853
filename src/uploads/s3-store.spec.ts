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

  const bucket = () => new S3Store(store, new IncomingFiles({ dataDir } as Config), { dataDir });

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
      const opened = bucket().open('x', 'image/png');
      await expect(opened).rejects.toMatchObject({ status: 503, code: 'provider_unavailable' });
      const { incoming: parts, copies } = uploadDirectories(dataDir);
      const left = await Promise.all([parts, copies].map((path) => readdir(path).catch(() => [])));
      expect(left.flat()).toEqual([]);
    },
  );

  const refusing = (status: number, body: string): RequestListener => {
    return (_request, response) => response.writeHead(status).end(body);
  };
  const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

  it('that has no such object has nothing to open or to remove', async () => {
    handler = refusing(404, error('NoSuchKey'));
    expect(await bucket().open('x', 'image/png')).toBeUndefined();
    await bucket().remove('x');
  });

  it.each([
    ['is not there', 404, error('NoSuchBucket'), '404, NoSuchBucket'],
    ['is no bucket', 404, '<html>Not Found</html>', '404, no code'],
    ['has another clock', 403, error('RequestTimeTooSkewed'), '403, RequestTimeTooSkewed'],
    ['is elsewhere', 301, error('PermanentRedirect'), '301, PermanentRedirect'],
  ])('that %s says nothing of an object', async (_, status, body, answer) => {
    handler = refusing(status, body);
    const away = {
      ...{ status: 503, code: 'provider_unavailable' },
      cause: { message: `The object store answered ${answer}` },
    };
    await expect(bucket().open('x', 'image/png')).rejects.toMatchObject(away);
    await expect(bucket().remove('x')).rejects.toMatchObject(away);
  });
});
