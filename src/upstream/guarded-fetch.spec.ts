import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LookupAddress } from 'node:dns';
import { type RequestListener } from 'node:http';
import { type Server } from 'node:https';
import { createServer, type Server as TcpServer } from 'node:net';
import { certificateFor, listenHttps } from '../../test/support/https-server.js';
import { FetchFailure, guardedFetch, type Outlet } from './guarded-fetch.js';
import { isPublicAddress } from './public-address.js';

const HOST = 'images.test';
const certificate = certificateFor(HOST);
if (!certificate) console.warn('Skipped: there is no openssl to make a certificate with.');
const withTls = certificate ? describe : describe.skip;

async function bytesAt(
  url: string,
  outlet?: Partial<Outlet>,
  signal = new AbortController().signal,
) {
  const chunks: Buffer[] = [];
  const whole = { ...STRICT, ...outlet };
  for await (const chunk of guardedFetch(url, { signal, outlet: whole })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const resolvesTo =
  (...answers: LookupAddress[][]): Outlet['lookup'] =>
  (_host, _options, done) => {
    done(null, answers.length > 1 ? answers.shift()! : answers[0]!);
  };
const at = (address: string): LookupAddress[] => [
  { address, family: address.includes(':') ? 6 : 4 },
];
const LOOPBACK = at('127.0.0.1');
const STRICT: Outlet = { lookup: resolvesTo(LOOPBACK), isAllowed: isPublicAddress, port: 443 };

withTls('guardedFetch', () => {
  let server: Server;
  let port: number;
  let open: Partial<Outlet>;
  let connections = 0;
  let answer: RequestListener;
  beforeAll(async () => {
    ({ server, port } = await listenHttps(certificate!, (request, response) => {
      answer(request, response);
    }));
    server.on('connection', () => (connections += 1));
    open = { isAllowed: () => true, port, ca: certificate!.cert };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('reads what is there, once', async () => {
    const received: string[] = [];
    answer = ({ headers, url }, response) => {
      received.push(`${String(headers.host)}${String(url)} ${String(headers.authorization)}`);
      response.end('image');
    };
    expect(await bytesAt(`https://${HOST}:${port}/a?b=c`, open)).toBe('image');
    expect(received).toEqual([`${HOST}:${port}/a?b=c undefined`]);
  });

  it('dials the address that was checked, whatever the name says a moment later', async () => {
    answer = (_request, response) => response.end('image');
    const seen: string[] = [];
    // The first answer passes the check; every later one would be somewhere else.
    const lookup = resolvesTo(LOOPBACK, at('127.0.0.2'), at('127.0.0.2'));
    const isAllowed = (address: string) => seen.push(address) > 0;
    expect(await bytesAt(`https://${HOST}:${port}/`, { ...open, lookup, isAllowed })).toBe('image');
    expect(seen).toEqual(['127.0.0.1']);
  });

  it.each([
    ['a name of a private address', `https://${HOST}`, LOOPBACK],
    [
      'a name of a public and a private address',
      `https://${HOST}`,
      [...at('8.8.8.8'), ...LOOPBACK],
    ],
    ['a name of a mapped address', `https://${HOST}`, at('::ffff:127.0.0.1')],
    ['a name of nothing', `https://${HOST}`, []],
    ['an address', 'https://127.0.0.1', LOOPBACK],
    ['an address in other words', 'https://2130706433', LOOPBACK],
    ['an address in hex', 'https://0x7f.1', LOOPBACK],
    ['an IPv6 address', 'https://[::1]', LOOPBACK],
    ['a mapped address', 'https://[::ffff:127.0.0.1]', LOOPBACK],
  ])('never dials %s', async (_what, address, addresses) => {
    const before = connections;
    const outlet = { lookup: resolvesTo(addresses), port, ca: certificate!.cert };
    await expect(bytesAt(`${address}:${port}/`, outlet)).rejects.toThrow(FetchFailure);
    expect(connections).toBe(before);
  });

  it.each([
    ['another port', (own: number) => `https://${HOST}:${own + 1}/`],
    ['plain http', (own: number) => `http://${HOST}:${own}/`],
    ['a user in the address', (own: number) => `https://user:password@${HOST}:${own}/`],
    ['no address', () => 'https://'],
  ])('refuses %s before any lookup', async (_what, address) => {
    let lookups = 0;
    const lookup: Outlet['lookup'] = (_host, _options, done) => {
      lookups += 1;
      done(null, LOOPBACK);
    };
    await expect(bytesAt(address(port), { ...open, lookup })).rejects.toThrow(FetchFailure);
    expect(lookups).toBe(0);
  });

  it('does not follow a redirect', async () => {
    const paths: (string | undefined)[] = [];
    answer = ({ url }, response) => {
      paths.push(url);
      response.writeHead(302, { location: `https://${HOST}:${port}/elsewhere` }).end();
    };
    await expect(bytesAt(`https://${HOST}:${port}/`, open)).rejects.toThrow(FetchFailure);
    expect(paths).toEqual(['/']);
  });

  it.each([404, 204, 206])('takes no answer with status %i', async (status) => {
    answer = (_request, response) => response.writeHead(status).end();
    await expect(bytesAt(`https://${HOST}:${port}/`, open)).rejects.toThrow(FetchFailure);
  });

  it('takes nothing compressed, which would have another size than it says', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end();
    await expect(bytesAt(`https://${HOST}:${port}/`, open)).rejects.toThrow(FetchFailure);
  });

  it('trusts no certificate that it does not know', async () => {
    answer = (_request, response) => response.end('image');
    const { ca: _unknown, ...strange } = open;
    await expect(bytesAt(`https://${HOST}:${port}/`, strange)).rejects.toThrow(FetchFailure);
  });

  it('leaves with the reader', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.on('close', resolve);
        response.write('endless');
      };
    });
    const { signal } = new AbortController();
    for await (const chunk of guardedFetch(`https://${HOST}:${port}/`, {
      signal,
      outlet: { ...STRICT, ...open },
    })) {
      expect(chunk.toString()).toBe('endless');
      break;
    }
    await closed;
  });

  it('stops when the caller hangs up', async () => {
    const hangUp = new AbortController();
    answer = () => {
      hangUp.abort(new Error('gone'));
    };
    await expect(bytesAt(`https://${HOST}:${port}/`, open, hangUp.signal)).rejects.toThrow('gone');
  });

  it('says the same of a port where nobody listens', async () => {
    const tcp: TcpServer = createServer();
    await new Promise<void>((listening) => tcp.listen(0, '127.0.0.1', listening));
    const free = (tcp.address() as { port: number }).port;
    await new Promise((closed) => tcp.close(closed));
    const failure = await bytesAt(`https://${HOST}:${free}/`, { ...open, port: free }).catch(
      (error: unknown) => error,
    );
    const refused = await bytesAt('https://10.0.0.1/').catch((error: unknown) => error);
    expect(String(failure)).toBe(String(refused));
  });
});
