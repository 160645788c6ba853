import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { moveClock } from '../../test/support/clock.js';
import { type GatewayError } from '../contract/gateway-error.js';
import { GoogleTokens } from './google-tokens.js';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

const itself = (error: unknown): unknown => error;

describe('GoogleTokens', () => {
  let server: Server;
  let folder: string;
  let path: string;
  let asked: URLSearchParams[];
  let answer: () => [status: number, body: object];
  let location: string;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    asked = [];
    location = '';
    answer = () => [200, { access_token: `token-${asked.length}`, expires_in: 3600 }];
    server = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        asked.push(new URLSearchParams(bytes.toString()));
        const [status, body] = answer();
        response.writeHead(status, { 'content-type': 'application/json', location });
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    folder = await mkdtemp(join(tmpdir(), 'causeway-google-'));
    path = join(folder, 'key.json');
    await write();
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const write = (port = (server.address() as AddressInfo).port) =>
    writeFile(
      path,
      JSON.stringify({
        type: 'service_account',
        client_email: 'gateway@project.iam.gserviceaccount.com',
        private_key: PEM,
        token_uri: `http://127.0.0.1:${port}/token`,
      }),
    );

  it('proves the account by its key, and asks once for many calls', async () => {
    const tokens = new GoogleTokens(path);
    expect(await Promise.all([tokens.get(), tokens.get(), tokens.get()])).toEqual(
      Array(3).fill('token-1'),
    );
    // No promise any more: a token is at hand.
    expect(tokens.get()).toBe('token-1');
    expect(asked).toHaveLength(1);
    const [head = '', claims = '', signature = ''] = asked[0]?.get('assertion')?.split('.') ?? [];
    const proof = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(proof.verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'gateway@project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
  });

  it('replaces a token before it ends, while the old one still serves', async () => {
    answer = () => [200, { access_token: `token-${asked.length}`, expires_in: 120 }];
    const tokens = new GoogleTokens(path);
    expect(await tokens.get()).toBe('token-1');
    expect(tokens.get()).toBe('token-1');
    while (asked.length < 2 || tokens.get() !== 'token-2') {
      await new Promise((later) => setTimeout(later, 5));
    }
  });

  it('waits for a new token when the old one has ended', async () => {
    answer = () => [200, { access_token: `token-${asked.length}`, expires_in: 5 }];
    const tokens = new GoogleTokens(path);
    expect(await tokens.get()).toBe('token-1');
    expect(await tokens.get()).toBe('token-2');
  });

  it('goes on with a good token while the endpoint refuses', async () => {
    answer = () => [200, { access_token: 'good', expires_in: 120 }];
    const tokens = new GoogleTokens(path);
    await tokens.get();
    answer = () => [400, { error: 'invalid_grant', error_description: 'no' }];
    for (let call = 0; call < 3; call += 1) {
      expect(await tokens.get()).toBe('good');
      await new Promise((later) => setTimeout(later, 20));
    }
    // Not for each call.
    expect(asked).toHaveLength(2);
  });

  it.each([[400], [429], [500], [503]])(
    'asks once when %i is the answer, for all who ask then and in the second after it',
    async (status) => {
      answer = () => [status, { error: 'no' }];
      const tokens = new GoogleTokens(path);
      const failed = () => expect(tokens.get()).rejects.toMatchObject({ status: 502 });
      await Promise.all([failed(), failed()]);
      await failed();
      expect(asked).toHaveLength(1);
      moveClock(1_000);
      await Promise.all([failed(), failed()]);
      expect(asked).toHaveLength(2);
    },
  );

  it.each([
    [429, { retryAfter: 1, upstream: { status: 429, unsent: true } }],
    [500, { retryAfter: 1, upstream: { status: 500, unsent: true } }],
    [401, { upstream: { status: 401 } }],
    // Without a token.
    [200, { upstream: { status: 0 } }],
  ])('says of %i whether it may pass', async (status, details) => {
    answer = () => [status, { error: 'no' }];
    const failure: unknown = await Promise.resolve(new GoogleTokens(path).get()).catch(itself);
    expect((failure as GatewayError).details).toEqual(details);
  });

  it('is asked once, and the answer is 504, where it does not answer in time', async () => {
    server.removeAllListeners('request').on('request', () => asked.push(new URLSearchParams()));
    const { timeout } = AbortSignal;
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 100));
    await expect(new GoogleTokens(path).get()).rejects.toMatchObject({
      status: 504,
      code: 'upstream_timeout',
      details: { upstream: { status: 0 } },
    });
    expect(asked).toHaveLength(1);
    jest.restoreAllMocks();
  });

  it('says why it was refused, without the key or the assertion, and asks again', async () => {
    answer = () => [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }];
    const tokens = new GoogleTokens(path);
    const failure = await Promise.resolve(tokens.get()).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      status: 502,
      code: 'upstream_error',
      message: 'Google gave the gateway no access token (invalid_grant).',
      details: { upstream: { status: 400 } },
    });
    expect((failure as Error).cause).toBeUndefined();
    moveClock(1_000);
    answer = () => [200, { access_token: 'better', expires_in: 3600 }];
    expect(await tokens.get()).toBe('better');
  });

  it('says in the log once for each reason that there is no token, and once that there is', async () => {
    const logged: unknown[] = [];
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => {
        logged.push(line);
      });
    }
    const tokens = new GoogleTokens(path);
    const ask = () => Promise.resolve(tokens.get()).catch(() => 'none');
    for (const error of ['invalid_grant', 'invalid_grant', 'access_denied']) {
      answer = () => [400, { error }];
      expect(await ask()).toBe('none');
      moveClock(1_000);
    }
    answer = () => [200, { access_token: 'short', expires_in: 5 }];
    for (let call = 0; call < 2; call++) expect(await ask()).toBe('short');
    expect(logged).toEqual([
      'Google gave the gateway no access token (invalid_grant).',
      'Google gave the gateway no access token (access_denied).',
      'Google gives access tokens again.',
    ]);
    jest.restoreAllMocks();
  });

  it('sends a refused token no more, and does not ask anew for each one that is refused', async () => {
    const tokens = new GoogleTokens(path);
    await tokens.get();
    tokens.refused('token-0');
    expect(tokens.get()).toBe('token-1');
    tokens.refused('token-1');
    expect(await tokens.get()).toBe('token-2');
    tokens.refused('token-1');
    tokens.refused('token-2');
    expect(tokens.get()).toBe('token-2');
    moveClock(60_000);
    // The machine's time may be set back meanwhile.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    tokens.refused('token-2');
    jest.restoreAllMocks();
    expect(await tokens.get()).toBe('token-3');
  });

  it.each([302, 307, 308])('follows no %s with its proof to another host', async (status) => {
    const other = createServer((_, response) => {
      response.end(JSON.stringify({ access_token: 'theirs', expires_in: 3600 }));
    });
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    let reached = 0;
    other.on('request', () => (reached += 1));
    location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token`;
    answer = () => [status, { access_token: 'unasked', expires_in: 3600 }];
    await expect(new GoogleTokens(path).get()).rejects.toMatchObject({
      status: 502,
      message: `Google gave the gateway no access token (status ${status}).`,
    });
    expect([reached, asked.length]).toEqual([0, 1]);
    other.closeAllConnections();
    other.close();
  });

  it('fails with 502 where nobody listens, and where the file is gone', async () => {
    await write(1);
    await expect(new GoogleTokens(path).get()).rejects.toMatchObject({
      status: 502,
      details: { upstream: { status: 0 } },
    });
    await expect(new GoogleTokens(join(folder, 'none.json')).get()).rejects.toMatchObject({
      status: 502,
      message: 'Google gave the gateway no access token (ENOENT).',
    });
  });
});
