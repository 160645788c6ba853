import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { temporaryDirectory } from './support/databases.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { until } from './support/until.js';
import * as files from './support/upload-files.js';
import {
  ask,
  BOUNDARY,
  END,
  filePart,
  part,
  sendForm,
  textPart,
  upload,
  uploadedFiles,
  uploadLong,
} from './support/uploads.js';
import { workedMs } from './support/worked-ms.js';

const dataDir = temporaryDirectory();
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ DATA_DIR: dataDir });
});
afterAll(() => gateway.close());

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** A marker may have any number of fill bytes before it. https://www.w3.org/Graphics/JPEG/itu-t81.pdf B.1.1.2 */
const filled = (jpeg: Buffer) =>
  Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(3, 0xff), jpeg.subarray(20)]);
const namelessPart = (content: string) =>
  part(
    'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream',
    content,
  );
const detected = async (content: string | Buffer, name = 'a', type = '') => {
  const { status, body } = await upload(gateway.url, { content, name, type });
  return status === 200 ? [body.file_mimetype, body.metadata] : [status, body.detail];
};

describe('What a file is', () => {
  afterEach(() => ask(gateway.url, 'DELETE /v3/upload'));

  it.each<[string, Buffer, string, object]>([
    ['PNG', files.pngOf(640, 480), 'image/png', { width: 640, height: 480 }],
    ['JPEG', files.jpegOf(640, 480), 'image/jpeg', { width: 640, height: 480 }],
    [
      'JPEG with much metadata',
      files.jpegOf(64, 48, 500_000),
      'image/jpeg',
      { width: 64, height: 48 },
    ],
    [
      'JPEG with fill bytes',
      filled(files.jpegOf(640, 480)),
      'image/jpeg',
      { width: 640, height: 480 },
    ],
    ['GIF', files.gifOf(12, 34), 'image/gif', { width: 12, height: 34 }],
    ['WebP', files.webpOf(1200, 34), 'image/webp', { width: 1200, height: 34 }],
    ['PDF', files.pdfOf(3), 'application/pdf', { page_count: 3 }],
    ['long PDF', files.pdfOf(20_000), 'application/pdf', { page_count: 20_000 }],
    ['PDF of far too many pages', files.pdfOf(60_000), 'application/pdf', {}],
    ['PDF of nothing but text', Buffer.from('%PDF-1.4\n%%EOF\n'), 'application/pdf', {}],
    ['Word document', files.docx(), `${OFFICE}.wordprocessingml.document`, {}],
    ['WAV', files.WAV, 'audio/wav', {}],
    ['MP3', files.MP3, 'audio/mpeg', {}],
    ['MP4', files.MP4, 'video/mp4', {}],
  ])('is told by its bytes: %s', async (_, content, type, metadata) => {
    expect(await detected(content)).toEqual([type, metadata]);
    expect(await detected(content, 'a.txt', 'text/plain')).toEqual([type, metadata]);
  });

  it.each<[string, string]>([
    ['Hello, world!', 'text/plain'],
    ['Dear Ann,\nI am fine, thanks.\n', 'text/plain'],
    ['BMW is a car, and MZ a motorcycle.\n', 'text/plain'],
    ['<instructions>Be brief.</instructions>', 'text/plain'],
    ['Grüße 😀\r\n\tindented\x1b[0m', 'text/plain'],
    ['{"a": [1, 2', 'text/plain'],
    ['{"a":1}\n{"a":2}\n', 'text/plain'],
    ['5', 'text/plain'],
    ['\ufeff{"a": [1, 2]}\n', 'application/json'],
    ['[]', 'application/json'],
    [`[${'"x",'.repeat(1_000_000)}"x"]`, 'application/json'],
    ['name,price\napple,1.5\n', 'text/csv'],
    ['name;price\r\n"a;\r\nb";2\r\n', 'text/csv'],
    ['a\tb\n1\t2', 'text/csv'],
    ['a,b\n1,2,3\n', 'text/plain'],
  ])('is told by what the text says: %#', async (content, type) => {
    expect(await detected(content)).toEqual([type, {}]);
  });

  it('believes a name that says CSV of a text only', async () => {
    expect(await detected('name\nAnn\n', 'a.CSV')).toEqual(['text/csv', {}]);
    expect(await detected('name\nAnn\n', 'a', 'text/csv')).toEqual(['text/csv', {}]);
    expect(await detected('{"a":1}', 'a.csv')).toEqual(['application/json', {}]);
    expect(await detected(files.PNG, 'a.csv', 'text/csv')).toEqual([
      'image/png',
      expect.anything(),
    ]);
  });

  it.each<[string, Buffer | string, string]>([
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), ''],
    ['an archive', files.zipOf({ 'a.txt': 'a' }), ''],
    ['a BMP', Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0', 'latin1'), ''],
    ['bytes of no kind', Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]), ''],
    ['text in another encoding', Buffer.from('Gr\xfc\xdfe', 'latin1'), ''],
    ['text with a NUL', 'a\0b', 'text/plain'],
    ['HTML', ' <!DOCTYPE html><script>alert(1)</script>', 'text/html'],
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['SVG by no name', '<svg onload="alert(1)"/>', ''],
    ['text as an image', 'Hello', 'image/png'],
    ['an archive as an image', files.zipOf({ 'a.txt': 'a' }), 'image/png'],
    ['a PNG as a JPEG', files.PNG, 'image/jpeg'],
    ['an image without a header', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
    ['an image without pixels', files.pngOf(0, 10), 'image/png'],
  ])('may be nothing that is taken: %s', async (_, content, type) => {
    expect(await detected(content, 'a', type)).toEqual([415, expect.any(String)]);
  });

  it('may be an image under another name of its type', async () => {
    expect(await detected(files.jpegOf(1, 1), 'a', 'image/jpg')).toEqual([
      'image/jpeg',
      expect.anything(),
    ]);
  });

  it.each([
    ['PNG', files.pngOf(65_535, 65_535)],
    ['PNG', files.pngOf(2 ** 31 - 1, 2 ** 31 - 1)],
    ['JPEG', files.jpegOf(65_535, 65_535)],
    ['JPEG far behind', files.jpegOf(65_535, 65_535, 1_000_000)],
    ['GIF', files.gifOf(65_535, 65_535)],
    ['WebP', files.webpOf(16_384, 16_384)],
  ])('may not be an image that would be too large when unpacked: %s', async (_, bomb) => {
    const before = process.memoryUsage().rss;
    const ms = await workedMs(async () => {
      expect(await detected(bomb)).toEqual([413, expect.stringContaining('pixels')]);
    });
    expect(ms).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });
});

describe('A form', () => {
  afterEach(async () => {
    await ask(gateway.url, 'DELETE /v3/upload');
    // Whatever was wrong with it, nothing is left.
    expect(uploadedFiles(dataDir)).toEqual([]);
  });

  it('may have its parts in any order, and others beside them', async () => {
    const forms = [
      [filePart('x'), textPart('purpose', 'ocr'), textPart('other', 'y')],
      [
        textPart('other[__proto__][a]', 'y'),
        textPart('purpose', 'wrong'),
        textPart('purpose', 'ocr'),
        filePart('x'),
      ],
      [filePart('y'.repeat(100_000), 'b', 'attachment'), textPart('purpose', 'ocr'), filePart('x')],
    ];
    for (const form of forms) {
      const { status, body } = await sendForm(gateway.url, [...form, END]);
      expect([status, body.purpose, body.file_name, body.file_size]).toEqual([
        200,
        'ocr',
        'a.txt',
        1,
      ]);
    }
    const quoted = `multipart/form-data; charset=utf-8; boundary="${BOUNDARY}"`;
    expect((await sendForm(gateway.url, [filePart('x'), END], quoted)).status).toBe(200);
    expect(
      (await sendForm(gateway.url, [filePart('x', 'ärgerlich 😀.txt'), END])).body.file_name,
    ).toBe('ärgerlich 😀.txt');
  });

  it.each<[string, readonly Buffer[], number]>([
    ['an empty file', [filePart(''), END], 400],
    ['two files', [filePart('x'), filePart('y'), END], 400],
    ['a file and a text of its name', [filePart('x'), textPart('file', 'y'), END], 400],
    ['1,001 parts', [filePart('x'), ...many(1_000), END], 400],
    ['10,000 parts', [...many(10_000), filePart('x'), END], 400],
    ['2,000 files', [...Array.from({ length: 2_000 }, () => filePart('x', 'a', 'b')), END], 400],
    ['a huge text', [textPart('purpose', 'x'.repeat(5_000_000)), filePart('x'), END], 400],
    ['a part without a name', [part('Content-Disposition: form-data'), filePart('x'), END], 400],
    ['a head that never ends', [Buffer.from(`--${BOUNDARY}\r\nX: ${'x'.repeat(100_000)}`)], 400],
    ['no end', [filePart('x')], 400],
    ['no part', [END], 422],
    ['nothing', [], 400],
    ['no file', [textPart('purpose', 'ocr'), END], 422],
    [
      'files for texts',
      [filePart('x'), filePart('3', 'a', 'expires_in_days'), filePart('y', 'a', 'purpose'), END],
      422,
    ],
    ['a purpose with a NUL', [filePart('x'), textPart('purpose', 'a\0b'), END], 422],
  ])('may not have %s', async (_, parts, status) => {
    const ms = await workedMs(async () => {
      const answer = await sendForm(gateway.url, parts);
      expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['detail']]);
    });
    expect(ms).toBeLessThan(2_000);
  });

  it('may have 1,000 parts', async () => {
    expect((await sendForm(gateway.url, [...many(999), filePart('x'), END])).status).toBe(200);
  });

  it('cannot be cut off anywhere', async () => {
    const whole = Buffer.concat([textPart('purpose', 'ocr'), filePart('hello'), END]);
    // Without the last line break, a form is still whole.
    for (let length = 0; length < whole.length - 2; length += 7) {
      const { status } = await sendForm(gateway.url, [whole.subarray(0, length)]);
      expect([length, status]).toEqual([length, 400]);
    }
  });

  it.each([
    ['multipart/form-data'],
    ['multipart/form-data; boundary='],
    ['multipart/form-data; boundary=""'],
    [`multipart/form-data; boundary=${'x'.repeat(10_000)}`],
    ['multipart/form-data; boundary=another'],
  ])('needs its boundary: %#', async (type) => {
    expect((await sendForm(gateway.url, [filePart('x'), END], type)).status).toBe(400);
  });

  it.each([
    ['../../etc/passwd'],
    ['..\\..\\boot.ini'],
    ['/etc/passwd'],
    ['..'],
    ['a\0.png'],
    ['a\r.png'],
    ['a\r\nX-Injected: 1'],
    ['a\x1b[31m'],
    ['x'.repeat(5_000)],
    [''],
    [' '],
  ])('may not name its file %j', async (name) => {
    const plain = await sendForm(gateway.url, [filePart('x', name), END]);
    expect([400, 422]).toContain(plain.status);
    expect(Object.keys(plain.body)).toEqual(['detail']);
    const encoded = `form-data; name="file"; filename*=UTF-8''${encodeURIComponent(name)}`;
    const answer = await sendForm(gateway.url, [part(`Content-Disposition: ${encoded}`, 'x'), END]);
    expect([400, 422]).toContain(answer.status);
  });

  it('is not taken when it is packed', async () => {
    const headers = {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-encoding': 'gzip',
    };
    const { status, body } = await ask(gateway.url, 'POST /v3/upload', { headers, body: 'x' });
    expect([status, body]).toEqual([415, { detail: expect.any(String) }]);
  });

  it('is told the same where it has no files, however long it is', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    // Parsed, the last two would take hours.
    const endless = 'a&'.repeat(4_000_000);
    for (const [form, type] of [
      ['purpose=x', 'missing'],
      ['purpose=x&file=a', 'value_error'],
      ['purpose=x&file=', 'missing'],
      [endless, 'missing'],
      [`${endless}file=a`, 'value_error'],
    ] as const) {
      const { status, body } = await ask(gateway.url, 'POST /v3/upload', { headers, body: form });
      expect([status, body.detail[0]]).toMatchObject([422, { type, loc: ['body', 'file'] }]);
    }
  });

  it.each<[string, Buffer, string]>([
    ['an empty text', textPart('file', ''), 'missing'],
    ['a text', textPart('file', 'x'), 'value_error'],
    ['what browsers send where no file was chosen', namelessPart(''), 'missing'],
    ['bytes without a name', namelessPart('x'), 'value_error'],
  ])('has no file in %s', async (_, content, type) => {
    const { status, body } = await sendForm(gateway.url, [content, END]);
    expect([status, body.detail]).toMatchObject([422, [{ type, loc: ['body', 'file'] }]]);
  });

  it('lists all of its problems at once', async () => {
    const parts = [textPart('expires_in_days', '0'), textPart('purpose', 'x'.repeat(51)), END];
    const { status, body } = await sendForm(gateway.url, parts);
    expect(status).toBe(422);
    expect(body.detail.map(({ type, loc }: any) => [type, ...loc])).toEqual([
      ['missing', 'body', 'file'],
      ['greater_than_equal', 'body', 'expires_in_days'],
      ['string_too_long', 'body', 'purpose'],
    ]);
  });
});

describe('A file of more than 100 MB', () => {
  const MOST = 100 * 1024 * 1024;
  const head = (...headers: string[]) =>
    [
      'POST /v3/upload HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${API_KEY}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
      '',
      '',
    ].join('\r\n');
  /** Sends a file of zeroes without an end, as long as it is taken. */
  const sendForever = (headers: string) =>
    new Promise<{ text: string; sent: number }>((resolve) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect({ host: hostname, port: Number(port) });
      let text = '';
      let sent = 0;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        text += data.toString();
      });
      socket.once('close', () => {
        resolve({ text, sent });
      });
      const start = filePart('', 'a').subarray(0, -2);
      socket.write(`${headers}${start.length.toString(16)}\r\n${start.toString()}\r\n`);
      const chunk = Buffer.concat([
        Buffer.from('100000\r\n'),
        Buffer.alloc(0x100000),
        Buffer.from('\r\n'),
      ]);
      const more = () => {
        if (socket.destroyed || text !== '' || sent > 3 * MOST) return;
        sent += 0x100000;
        if (socket.write(chunk)) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });

  it('is refused by the length that is declared, and the connection closes', async () => {
    const { text, sent } = await sendForever(head(`Content-Length: ${2 * MOST}`));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain('{"detail":"The file is larger than 104857600 bytes."}');
    expect(sent).toBeLessThan(MOST);
  });

  it('is refused as soon as so much has come, and leaves nothing', async () => {
    const { text, sent } = await sendForever(head('Transfer-Encoding: chunked'));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(sent).toBeLessThan(2 * MOST);
    await until(() => Promise.resolve(uploadedFiles(dataDir).length === 0));
  });

  it('is taken up to the last byte, and not one more', async () => {
    expect((await uploadLong(gateway.url, MOST)).body).toMatchObject({
      file_size: MOST,
      file_mimetype: 'text/plain',
    });
    expect((await uploadLong(gateway.url, MOST + 1)).status).toBe(413);
    await ask(gateway.url, 'DELETE /v3/upload');
    expect(uploadedFiles(dataDir)).toEqual([]);
  });
});

function many(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => textPart(`field${index}`, 'x'));
}
