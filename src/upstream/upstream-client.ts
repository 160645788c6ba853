import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config, type Timeouts } from '../config/config.js';
import { type Framing, type ProviderConnection, type UpstreamCall } from '../providers/provider.js';
import {
  type IncomingAnswer,
  type OutgoingLimits,
  type OutgoingRequest,
  type Transport,
} from '../providers/transport.js';
import { sandboxTransport } from '../sandbox/sandbox-transport.js';
import { Credentials } from './credential.js';
import { decompressed } from './decompress.js';
import { whileWanted } from './while-wanted.js';
import { NetworkTransport } from './network-transport.js';
import { type Outgoing, outgoingBody } from './outgoing-body.js';
import { isTrusted, replyAddress } from './reply-address.js';
import { timed } from './timed-transport.js';
import { withoutProof } from './without-proof.js';

interface SendOptions extends OutgoingLimits {
  /** Answer from the sandbox, whatever the provider is. */
  readonly sandboxed: boolean;
  /** Headers of the caller's that go on; those of the call and the credential win. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The only code that talks to providers. */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  private readonly network: NetworkTransport;
  private readonly sandbox: Transport;
  private readonly credentials: Credentials;
  /** The longest that a call may take, with all its askings where the answer comes later. */
  readonly totalMs: number;
  /**
   * The longest that a stream which has begun may say nothing, whatever it sends meanwhile. Models that think
   * in secret send pings only, and for longer than most whole answers take.
   */
  readonly longestStillMs: number;

  constructor(@Inject(CONFIG) config: Config) {
    const { totalMs, idleMs } = config.timeouts;
    this.totalMs = totalMs;
    this.longestStillMs = 3 * Math.max(totalMs, idleMs);
    this.network = new NetworkTransport(config.timeouts);
    this.sandbox = timed(sandboxTransport, config.timeouts);
    this.credentials = new Credentials(config);
    const warning = noTimeForOthers(config.timeouts);
    if (warning !== undefined) new Logger(UpstreamClient.name).warn(warning);
  }

  /**
   * Sends one call. The answer's body is decompressed; reading it to its end, or leaving it, frees
   * the connection.
   *
   * @throws GatewayError 502 (no connection, no credential, broken off) or 504 (a time limit); the
   * signal's reason when it is aborted.
   */
  async send(
    connection: ProviderConnection,
    call: UpstreamCall,
    { sandboxed, headers, ...limits }: SendOptions,
  ): Promise<IncomingAnswer> {
    const body = outgoingBody(call.body);
    const sent = body instanceof Promise ? await body : body;
    const request = outgoing(connection, call, headers, sent);
    if (sandboxed || connection.provider.name === 'sandbox') {
      return plain(await this.sandbox(request, limits));
    }
    // A host that an answer pointed to may be anybody's.
    const isOwn = isTrusted(connection, request.url);
    const credential = isOwn ? this.credentials.headers(connection, request) : {};
    const proof =
      credential instanceof Promise ? await whileWanted(credential, limits.signal) : credential;
    const signed = { ...request, headers: { ...request.headers, ...proof } };
    const answer = await this.network.send(signed, limits);
    if (answer.status === 401) this.credentials.refused(proof);
    // A key of the connection's own is known to who reads the answer.
    return connection.apiKey === undefined ? withoutProof(plain(answer), proof) : plain(answer);
  }

  onApplicationShutdown(): Promise<void> {
    return this.network.close();
  }
}

/** That a provider which says nothing takes all the time of a request; undefined where some is left. */
function noTimeForOthers({ totalMs, firstByteMs }: Timeouts): string | undefined {
  if (firstByteMs < totalMs) return undefined;
  return (
    `UPSTREAM_FIRST_BYTE_TIMEOUT_MS (${firstByteMs}) is not below UPSTREAM_TOTAL_TIMEOUT_MS (${totalMs}): ` +
    `a provider that does not answer leaves no time for fallbacks`
  );
}

const ACCEPTED: Readonly<Record<Framing, string>> = {
  none: 'application/json',
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson, application/json',
  'aws-event-stream': 'application/vnd.amazon.eventstream',
};

function outgoing(
  connection: ProviderConnection,
  call: UpstreamCall,
  forwarded: Readonly<Record<string, string>>,
  { contentType, body }: Outgoing,
): OutgoingRequest {
  return {
    method: call.method ?? 'POST',
    url: call.from === 'reply' ? replyAddress(connection, call.path) : addressOf(connection, call),
    headers: {
      accept: ACCEPTED[call.framing],
      'accept-encoding': 'identity',
      'user-agent': 'causeway',
      ...forwarded,
      ...call.headers,
      'content-type': contentType,
    },
    body,
  };
}

function addressOf({ baseUrl }: ProviderConnection, { path }: UpstreamCall): URL {
  const url = new URL(baseUrl);
  const [name = '', query] = path.split('?');
  url.pathname = url.pathname.replace(/\/$/, '') + name;
  if (query) url.search = query;
  return url;
}

function plain(answer: IncomingAnswer): IncomingAnswer {
  return { ...answer, body: decompressed(answer) };
}
