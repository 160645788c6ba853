import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { type Caller } from '../src/contract/caller.js';
import { Database } from '../src/database/database.service.js';
import { UploadedFiles } from '../src/uploads/uploaded-files.service.js';
import { describeEveryEngine, temporaryDirectory } from './support/databases.js';
import { ADMIN_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { ask, upload, uploadedFiles } from './support/uploads.js';
import { PNG } from './support/upload-files.js';

const CASES = '../shared/fixtures/http-422/cases.json';
const NOBODY = '0b6f1f2e-8d0c-4c53-9a57-3f1f6a1d2c4b';

describeEveryEngine('Uploads', ({ fresh }) => {
  let gateway: RunningGateway;
  let dataDir: string;
  let otherKey: string;
  let sandboxKey: string;
  beforeAll(async () => {
    const settings = await fresh();
    dataDir = settings.DATA_DIR;
    gateway = await startGateway({ ...settings });
    const admin = (route: string, json: unknown) =>
      ask(gateway.url, route, { json, key: ADMIN_KEY });
    const { body: account } = await admin('POST /v3/admin/accounts', { name: 'other' });
    otherKey = (await admin(`POST /v3/admin/accounts/${account.id}/keys`, { name: 'k' })).body.key;
    sandboxKey = (
      await admin(`POST /v3/admin/accounts/${account.id}/keys`, { name: 's', type: 'sandbox' })
    ).body.key;
  });
  afterAll(() => gateway.close());

  const keep = (fields: Record<string, string> = {}, key?: string) =>
    upload(gateway.url, { content: PNG, name: 'pixel.png', fields, ...(key && { key }) });
  const clear = () => ask(gateway.url, 'DELETE /v3/upload');

  it('keeps a file and says with 200 what it is', async () => {
    const before = Date.now();
    const { status, body } = await keep();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['file_id', 'file_name', 'file_size', 'file_mimetype', 'purpose', 'metadata'],
      ...['created_at', 'expires_at'],
    ]);
    expect(body).toMatchObject({
      file_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      file_name: 'pixel.png',
      file_size: PNG.length,
      file_mimetype: 'image/png',
      purpose: 'general',
      metadata: { width: 1, height: 1 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * 86_400_000);
    expect((await ask(gateway.url, `GET /v3/upload/${body.file_id}`)).body).toEqual(body);
    expect(readFileSync(`${dataDir}/uploads/${body.file_id}`)).toEqual(PNG);
  });

  it('takes its fields as pydantic does', async () => {
    const { body } = await keep({ expires_in_days: ' +7.0 ', purpose: 'ocr' });
    expect(body.purpose).toBe('ocr');
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(7 * 86_400_000);
    const { body: bare } = await keep({ expires_in_days: '', purpose: '' });
    expect(bare.purpose).toBe('general');
    expect(Date.parse(bare.expires_at) - Date.parse(bare.created_at)).toBe(30 * 86_400_000);
  });

  it('lists newest first, by purpose and by page', async () => {
    await clear();
    expect((await ask(gateway.url, 'GET /v3/upload')).body).toEqual({
      ...{ items: [], total: 0, page: 1, limit: 100, total_pages: 0 },
    });
    const ids: string[] = [];
    for (const purpose of ['a', 'b', 'a', 'a']) ids.unshift((await keep({ purpose })).body.file_id);
    const listed = async (query: string) => {
      const { body } = await ask(gateway.url, `GET /v3/upload${query}`);
      return { ...body, items: body.items.map((file: any) => ids.indexOf(file.file_id)) };
    };
    expect(await listed('')).toMatchObject({ items: [0, 1, 2, 3], total: 4, total_pages: 1 });
    expect(await listed('?limit=3&page=2')).toEqual({
      ...{ items: [3], total: 4, page: 2, limit: 3, total_pages: 2 },
    });
    expect(await listed('?purpose=a&limit=2')).toMatchObject({
      items: [0, 1],
      total: 3,
      total_pages: 2,
    });
    expect(await listed('?page=99')).toMatchObject({ items: [], total: 4, page: 99 });
    expect(await listed('?page=100000000000000000000')).toMatchObject({ items: [], total: 4 });
    expect(await listed('?page=7&page=1&unknown=x')).toMatchObject({
      items: [0, 1, 2, 3],
      page: 1,
    });
  });

  it('deletes one, several and all, and the files with them', async () => {
    await clear();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await keep()).body.file_id);
    const [one, two, three] = ids as [string, string, string];
    expect((await ask(gateway.url, `DELETE /v3/upload/${one}`)).body).toEqual({ deleted_count: 1 });
    expect((await ask(gateway.url, `DELETE /v3/upload/${one}`)).status).toBe(404);
    const several = await ask(gateway.url, 'POST /v3/upload/delete', {
      // One file in four forms, another one, one that is gone, and one that never was.
      json: {
        file_ids: [
          two,
          two.toUpperCase(),
          `{${two}}`,
          `urn:uuid:${two}`,
          three.replaceAll('-', ''),
          one,
          NOBODY,
        ],
      },
    });
    expect([several.status, several.body]).toEqual([200, { deleted_count: 2 }]);
    expect((await clear()).body).toEqual({ deleted_count: 1 });
    expect((await clear()).body).toEqual({ deleted_count: 0 });
    expect(uploadedFiles(dataDir)).toEqual([]);
    const rows = await gateway.app
      .get(Database)
      .read((kysely) => kysely.selectFrom('uploads').select('id').execute());
    expect(rows).toEqual([]);
  });

  it('answers for the file of another account as for none', async () => {
    const { body } = await keep();
    for (const method of ['GET', 'DELETE']) {
      const theirs = await ask(gateway.url, `${method} /v3/upload/${body.file_id}`, {
        key: otherKey,
      });
      const nobodys = await ask(gateway.url, `${method} /v3/upload/${NOBODY}`, { key: otherKey });
      expect([theirs.status, theirs.body]).toEqual([404, { detail: 'File not found' }]);
      expect([nobodys.status, nobodys.body]).toEqual([theirs.status, theirs.body]);
    }
    const json = { file_ids: [body.file_id] };
    const deleted = await ask(gateway.url, 'POST /v3/upload/delete', { json, key: otherKey });
    expect(deleted.body).toEqual({ deleted_count: 0 });
    await ask(gateway.url, 'DELETE /v3/upload', { key: otherKey });
    expect((await ask(gateway.url, 'GET /v3/upload', { key: otherKey })).body.total).toBe(0);
    expect((await ask(gateway.url, `GET /v3/upload/${body.file_id}`)).status).toBe(200);
  });

  it('serves sandbox keys as the other keys of their account', async () => {
    const { status, body } = await keep({}, sandboxKey);
    expect(status).toBe(200);
    for (const key of [sandboxKey, otherKey]) {
      expect((await ask(gateway.url, `GET /v3/upload/${body.file_id}`, { key })).body).toEqual(
        body,
      );
    }
  });

  it('hides what has expired everywhere', async () => {
    const { body } = await keep();
    const id: string = body.file_id;
    await gateway.app
      .get(Database)
      .write((transaction) =>
        transaction
          .updateTable('uploads')
          .set({ expires_at: Date.now() })
          .where('id', '=', id)
          .execute(),
      );
    expect((await ask(gateway.url, `GET /v3/upload/${id}`)).status).toBe(404);
    expect((await ask(gateway.url, `DELETE /v3/upload/${id}`)).status).toBe(404);
    const { body: list } = await ask(gateway.url, 'GET /v3/upload');
    expect(list.items.map((file: any) => file.file_id)).not.toContain(id);
    const json = { file_ids: [id] };
    expect((await ask(gateway.url, 'POST /v3/upload/delete', { json })).body.deleted_count).toBe(0);
    const files = gateway.app.get(UploadedFiles, { strict: false });
    expect(await files.open({ accountId: 'acc_default' } as Caller, id)).toBeUndefined();
  });

  it('opens a file for its own account only', async () => {
    const { body } = await keep();
    const files = gateway.app.get(UploadedFiles, { strict: false });
    const open = (accountId: string, id: string) => files.open({ accountId } as Caller, id);
    const opened = await open('acc_default', body.file_id.toUpperCase());
    expect(opened).toMatchObject({ mediaType: 'image/png', fileName: 'pixel.png' });
    expect(opened!.blob.type).toBe('image/png');
    expect(Buffer.from(await opened!.blob.arrayBuffer())).toEqual(PNG);
    expect(await open('acc_other', body.file_id)).toBeUndefined();
    expect(await open('acc_default', NOBODY)).toBeUndefined();
    expect(await open('acc_default', '../causeway.db')).toBeUndefined();
  });

  it('refuses ids that are none with 422', async () => {
    const { status, body } = await ask(gateway.url, 'GET /v3/upload/nope');
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          {
            type: 'uuid_parsing',
            loc: ['path', 'file_id'],
            msg: 'Input should be a valid UUID, invalid character: found `n` at 1',
            ctx: { error: 'invalid character: found `n` at 1' },
          },
        ],
      },
    ]);
    const json = { file_ids: [5, null, `urn:uuid:${NOBODY}0`, 'é', NOBODY] };
    const wrong = await ask(gateway.url, 'POST /v3/upload/delete', { json });
    expect(wrong.body.detail.map(({ type, loc, msg }: any) => [type, loc[2], msg])).toEqual([
      ['uuid_type', 0, 'UUID input should be a string, bytes or UUID object'],
      ['uuid_type', 1, 'UUID input should be a string, bytes or UUID object'],
      [
        'uuid_parsing',
        2,
        'Input should be a valid UUID, invalid group length in group 4: expected 12, found 22',
      ],
      ['uuid_parsing', 3, 'Input should be a valid UUID, invalid character: found `é` at 1'],
    ]);
    const many = { file_ids: Array.from({ length: 101 }, () => NOBODY) };
    expect((await ask(gateway.url, 'POST /v3/upload/delete', { json: many })).body.detail).toEqual([
      expect.objectContaining({
        type: 'too_long',
        msg: 'List should have at most 100 items after validation, not 101',
      }),
    ]);
  });

  it('answers in FastAPI’s shape, but for what OpenAI’s clients know', async () => {
    const unknown = await ask(gateway.url, 'GET /v3/upload', { key: 'cw_nobody-0123456789abcdef' });
    expect([unknown.status, unknown.body.error.type]).toEqual([401, 'authentication_error']);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
    const wrong = await ask(gateway.url, 'PUT /v3/upload');
    expect([wrong.status, wrong.body]).toEqual([405, { detail: 'Method Not Allowed' }]);
    expect(wrong.headers.get('allow')).toBe('DELETE, GET, HEAD, POST');
    const nowhere = await ask(gateway.url, 'GET /v3/upload/a/b');
    expect([nowhere.status, nowhere.body]).toEqual([404, { detail: 'Not Found' }]);
  });
});

const haveCases = existsSync(CASES);
const cases: any[] = haveCases
  ? JSON.parse(readFileSync(CASES, 'utf8')).filter(({ path }: any) => path.startsWith('/v3/upload'))
  : [];

(haveCases ? describe : describe.skip)(`recorded 422s (${CASES}, skipped without it)`, () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({ DATA_DIR: temporaryDirectory() });
  });
  afterAll(() => gateway.close());

  it.each(cases.map((recorded) => [recorded.label, recorded]))('%s', async (_, recorded) => {
    const { method, path, content_type: type, body } = recorded;
    const reply = await ask(gateway.url, `${method} ${path}`, {
      ...(body && { body }),
      headers: type ? { 'content-type': type } : {},
    });
    expect(reply.status).toBe(recorded.status);
    expect(reply.body.detail.map(({ type, loc, msg }: any) => ({ type, loc, msg }))).toEqual(
      recorded.detail,
    );
    for (const one of reply.body.detail) expect(one).not.toHaveProperty('input');
  });
});
