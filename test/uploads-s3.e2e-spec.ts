import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { type Caller } from '../src/contract/caller.js';
import { Database } from '../src/database/database.service.js';
import { UploadCleaner } from '../src/uploads/upload-cleaner.service.js';
import { UploadedFiles } from '../src/uploads/uploaded-files.service.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import { type S3Server, startS3 } from './support/s3-server.js';
import { PNG } from './support/upload-files.js';
import { ask, upload, uploadedFiles } from './support/uploads.js';

const CALLER = { accountId: 'acc_default' } as Caller;

describe('Uploads in a bucket', () => {
  const dataDir = temporaryDirectory();
  let s3: S3Server;
  let gateway: RunningGateway;
  beforeAll(async () => {
    s3 = await startS3();
    gateway = await startGateway({ DATA_DIR: dataDir, ...s3.settings });
  });
  afterAll(async () => {
    await gateway.close();
    await s3.close();
  });
  afterEach(() => ask(gateway.url, 'DELETE /v3/upload'));

  const objects = () =>
    readdirSync(`${s3.directory}/files`, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('_object'),
    );

  it('are whole there, and nowhere else', async () => {
    const { status, body } = await upload(gateway.url, { content: PNG, name: 'a.png' });
    expect(status).toBe(200);
    const [object, ...others] = objects();
    expect(others).toEqual([]);
    expect(object).toContain(`uploads/${body.file_id}`);
    expect(readFileSync(`${s3.directory}/files/${object}`)).toEqual(PNG);
    expect(uploadedFiles(dataDir)).toEqual([]);
  });

  it('are read from a copy on the disk, which goes with them', async () => {
    const content = Buffer.alloc(5_000_000, 'abcdefg ');
    const { body } = await upload(gateway.url, { content });
    const files = gateway.app.get(UploadedFiles, { strict: false });
    const opened = await Promise.all([1, 2, 3].map(() => files.open(CALLER, body.file_id)));
    for (const file of opened) {
      expect(file).toMatchObject({ mediaType: 'text/plain', fileName: 'file' });
      expect(Buffer.from(await file!.blob.arrayBuffer()).equals(content)).toBe(true);
    }
    expect(uploadedFiles(dataDir)).toEqual([`copies/${body.file_id}`]);
    await ask(gateway.url, `DELETE /v3/upload/${body.file_id}`);
    expect([objects(), uploadedFiles(dataDir)]).toEqual([[], []]);
    expect(await files.open(CALLER, body.file_id)).toBeUndefined();
  });

  it('are deleted when they have expired', async () => {
    await upload(gateway.url, { content: PNG });
    await gateway.app
      .get(Database)
      .write((transaction) => transaction.updateTable('uploads').set({ expires_at: 1 }).execute());
    await gateway.app.get(UploadCleaner, { strict: false }).sweep();
    expect(objects()).toEqual([]);
  });
});

describe('Uploads while the bucket', () => {
  const store = new FakeUpstream();
  const dataDir = temporaryDirectory();
  let gateway: RunningGateway;
  beforeAll(async () => {
    await store.listen();
    const settings = {
      S3_ENDPOINT: store.url,
      S3_BUCKET: 'files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    gateway = await startGateway({ DATA_DIR: dataDir, ...settings });
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  it.each([
    ['is broken', 500, 503, 'provider_unavailable'],
    ['lets nobody in', 403, 503, 'provider_unavailable'],
    ['is full', 507, 507, 'insufficient_storage'],
  ])('%s are refused, and are not there', async (_, status, expected, code) => {
    store.replies(status, {});
    const answer = await upload(gateway.url, { content: PNG });
    expect([answer.status, answer.body.error.code]).toEqual([expected, code]);
    expect((await ask(gateway.url, 'GET /v3/upload')).body.total).toBe(0);
    expect(uploadedFiles(dataDir)).toEqual([]);
    // The row stays until it is certain that the object is gone.
    store.replies(204, {});
    await gateway.app.get(UploadCleaner, { strict: false }).sweep();
    const rows = await gateway.app
      .get(Database)
      .read((kysely) => kysely.selectFrom('uploads').select('id').execute());
    expect(rows).toEqual([]);
    expect(store.received.at(-1)).toMatchObject({ method: 'DELETE' });
  });

  it('works are sent with their length and a signature of their bytes', async () => {
    store.replies(200, {});
    const { body } = await upload(gateway.url, { content: PNG });
    const put = store.received.findLast(({ method }) => method === 'PUT')!;
    expect(put).toMatchObject({
      path: `/files/uploads/${body.file_id}`,
      headers: {
        'content-length': String(PNG.length),
        'x-amz-content-sha256': expect.stringMatching(/^[\da-f]{64}$/),
        authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 .*eu-central-1\/s3\/aws4_request/),
      },
    });
    expect(put.headers['transfer-encoding']).toBeUndefined();
  });
});
