import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress } from './public-address.js';

/** What may be dialled, and how names are resolved. */
export interface Outlet {
  readonly lookup: (
    hostname: string,
    options: LookupOptions & { all: true },
    done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void;
  readonly isAllowed: (address: string) => boolean;
  readonly port: number;
  /** Certificates to trust, in place of the usual ones. */
  readonly ca?: string;
}

/** The public internet by https, at its usual port: so no port of anybody's can be sounded out. */
const PUBLIC: Outlet = { lookup: systemLookup, isAllowed: isPublicAddress, port: 443 };

/** From the name's lookup to the last byte. */
const PATIENCE_MS = 20_000;

interface Fetching {
  readonly signal: AbortSignal;
  /** An address on the origin of one of these is dialled whatever it is: the operator chose them. */
  readonly trusted?: readonly URL[];
  readonly outlet?: Outlet;
}

/** Thrown for an address that could not be fetched, without saying why. */
export class FetchFailure extends Error {
  constructor(cause?: unknown) {
    super('The address could not be fetched', { cause });
    this.name = 'FetchFailure';
  }
}

/**
 * The bytes at an address that a stranger gave. Only public addresses are dialled, and the address
 * that was checked is the one that is dialled; redirects are not followed. Leaving the loop over the
 * bytes ends the connection.
 *
 * @throws FetchFailure, while the bytes are read, for whatever goes wrong; the signal's reason when it
 *   is aborted.
 */
export async function* guardedFetch(
  address: string,
  { signal, trusted = [], outlet = PUBLIC }: Fetching,
): AsyncGenerator<Buffer> {
  const isTrusted = trusted.some(({ origin }) => origin === originOf(address));
  const url = isTrusted ? new URL(address) : allowedUrl(address, outlet);
  const guarded = {
    lookup: checkedLookup(outlet),
    ...(outlet.ca !== undefined && { ca: outlet.ca }),
  };
  const agent = new Agent({
    ...(!isTrusted && { connect: guarded }),
    maxHeaderSize: 16_384,
    allowH2: false,
  });
  try {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'causeway' },
      signal: AbortSignal.any([signal, patience]),
    });
    body.on('error', () => undefined);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (statusCode !== 200 || encoding !== 'identity') throw new FetchFailure();
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof FetchFailure ? error : new FetchFailure(error);
  } finally {
    // Whoever is done with an answer before its end has no more use for its connection.
    await agent.destroy();
  }
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

function allowedUrl(address: string, { port, isAllowed }: Outlet): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' || url.username || url.password) throw new FetchFailure();
  if (Number(url.port || 443) !== port) throw new FetchFailure();
  // An address in the place of a name is dialled without a lookup.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchFailure();
  return url;
}

/** A name stands for its addresses only if every one of them may be dialled. */
function checkedLookup({ lookup, isAllowed }: Outlet): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        done(error, '', 0);
        return;
      }
      const [first] = addresses;
      const allowed = addresses.every(({ address }) => isAllowed(address));
      if (!first || !allowed) done(new FetchFailure(), '', 0);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
