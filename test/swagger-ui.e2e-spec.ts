import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { setImmediate as round } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { png } from './support/images.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';

const CHROMIUM = '/usr/bin/chromium';
// On a busy machine a browser is slow to start, and Swagger UI to draw forty operations anew.
jest.setTimeout(240_000);
const PAGE_TIMEOUT_MS = 120_000;
const withBrowser = existsSync(CHROMIUM) ? describe : describe.skip;
if (withBrowser === describe.skip) {
  console.warn(`Swagger UI was not opened in a browser: there is no ${CHROMIUM}.`);
}
/** Without the last four, Chromium calls home by itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe('/docs', () => {
  it.each(['/docs', '/docs/', '/docs/openapi.json', '/docs/swagger-ui-init.js'])(
    '%s needs no key, is never stale and cannot be framed',
    async (path) => {
      const { status, headers } = await fetch(gateway.url + path);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    },
  );

  it('serves the document as JSON, and in no other form', async () => {
    const { headers } = await fetch(`${gateway.url}/docs/openapi.json`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await fetch(`${gateway.url}/docs-yaml`)).status).toBe(404);
  });

  it('is given to one caller in a round of the event loop, to leave the others to calls', async () => {
    const ask = (): ServerResponse => {
      const request = new IncomingMessage(new Socket());
      Object.assign(request, { method: 'GET', url: '/docs/' });
      const response = new ServerResponse(request);
      gateway.app.getHttpServer().emit('request', request, response);
      return response;
    };
    // Until nothing of the tests before is left.
    await round();
    await round();
    const responses = [ask(), ask()];
    expect(responses.map(({ headersSent }) => headersSent)).toEqual([true, false]);
    await round();
    expect(responses.map(({ headersSent }) => headersSent)).toEqual([true, true]);
  });

  it('makes no copy of the document for each of those who do not read it', async () => {
    const path = '/docs/swagger-ui-init.js';
    const { length } = await (await fetch(gateway.url + path)).text();
    const READERS = 40;
    const before = process.memoryUsage().arrayBuffers;
    const { hostname, port } = new URL(gateway.url);
    const readers = Array.from({ length: READERS }, () => {
      const reader = connect(Number(port), hostname).pause();
      // The first answers fill the buffers of the system.
      reader.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`.repeat(12));
      return reader;
    });
    await until(async () => (await metric(gateway, 'causeway_http_requests_in_flight')) > READERS);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((READERS / 2) * length);
    for (const reader of readers) reader.destroy();
  });
});

withBrowser('Swagger UI in a browser', () => {
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    page = await browser.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        troubles.push(`console: ${message.text()}`);
      }
    });
    page.on('pageerror', (error) => troubles.push(`page: ${error.message}`));
    page.on('requestfailed', (request) => troubles.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      const own = request.url().startsWith(gateway.url) || request.url().startsWith('data:');
      if (!own) troubles.push(`external: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`);
    });
    await page.goto(`${gateway.url}/docs`);
    await page.waitForSelector('.opblock');
  });
  afterAll(async () => {
    await browser.close();
  });

  it('shows the title, the first steps and the groups in their order', async () => {
    expect(await page.title()).toBe('Causeway API');
    expect(await page.locator('.info').innerText()).toContain('Press Authorize');
    const groups = await page
      .locator('.opblock-tag')
      .evaluateAll((tags) =>
        tags.map((tag) => (tag as unknown as { dataset: { tag: string } }).dataset.tag),
      );
    expect(groups).toEqual([
      ...['Messages', 'Chat', 'Responses', 'Routing', 'Images'],
      ...['Uploads', 'Embeddings', 'Models'],
      ...['Account', 'Management', 'Health'],
    ]);
  });

  it('sends an example with the key and shows the answer', async () => {
    await page.locator('.btn.authorize').click();
    await page.locator('.auth-container input').first().fill(API_KEY);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();

    const operation = page.locator('#operations-Messages-createMessage');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.btn.execute').click();
    const answer = operation.locator('.live-responses-table tbody tr').first();
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/);
    expect(await answer.locator('.highlight-code').first().innerText()).toContain(
      'You said: Hello',
    );
  });

  it('uploads a file', async () => {
    const operation = page.locator('#operations-Uploads-uploadFile');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') };
    await operation.locator('input[type=file]').setInputFiles(file);
    await operation.locator('.btn.execute').click();
    const answer = operation.locator('.live-responses-table tbody tr').first();
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/);
    expect(await answer.locator('.highlight-code').first().innerText()).toContain('"a.txt"');
  });

  it('remembers the key', async () => {
    await page.reload();
    await page.waitForSelector('.btn.authorize.locked');
  });

  it('has loaded nothing from elsewhere and complained of nothing', () => {
    expect(troubles).toEqual([]);
  });

  // The last, as Swagger UI complains of its own lists of files.
  it('edits an image by the form as it is prefilled', async () => {
    const operation = page.locator('#operations-Images-editImages');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation
      .locator('.opblock-section-request-body .body-param-content-type select')
      .selectOption('multipart/form-data');
    const file = { name: 'a.png', mimeType: 'image/png', buffer: png(64, 64) };
    await operation.locator('input[type=file]').first().setInputFiles(file);
    await operation.locator('.btn.execute').click();
    const answer = operation.locator('.live-responses-table tbody tr').first();
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/);
  });
});
