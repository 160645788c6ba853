import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { type ProviderConnection, type UpstreamCall } from '../providers/provider.js';
import {
  type IncomingAnswer,
  type OutgoingRequest,
  type Transport,
} from '../providers/transport.js';
import { sandboxTransport } from '../sandbox/sandbox-transport.js';
import { decompressed } from './decompress.js';
import { NetworkTransport } from './network-transport.js';
import { timed } from './timed-transport.js';

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly stream: boolean;
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

  constructor(@Inject(CONFIG) { timeouts }: Config) {
    this.network = new NetworkTransport(timeouts);
    this.sandbox = timed(sandboxTransport, timeouts);
  }

  /**
   * Sends one call. The answer's body is decompressed; reading it to its end, or leaving it, frees
   * the connection.
   *
   * @throws GatewayError 502 (no connection, broken off) or 504 (a time limit); the signal's reason
   * when it is aborted.
   */
  async send(
    connection: ProviderConnection,
    call: UpstreamCall,
    { signal, stream, sandboxed, headers }: SendOptions,
  ): Promise<IncomingAnswer> {
    const transport =
      sandboxed || connection.provider.name === 'sandbox' ? this.sandbox : this.network.send;
    const answer = await transport(outgoing(connection, call, headers), { signal, stream });
    return { ...answer, body: decompressed(answer) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.network.close();
  }
}

function outgoing(
  connection: ProviderConnection,
  call: UpstreamCall,
  forwarded: Readonly<Record<string, string>>,
): OutgoingRequest {
  const url = new URL(connection.baseUrl);
  const [path = '', query] = call.path.split('?');
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  if (query) url.search = query;
  return {
    method: call.method ?? 'POST',
    url,
    headers: {
      accept: call.framing === 'sse' ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'causeway',
      ...forwarded,
      ...call.headers,
      ...credential(connection),
    },
    body: bytesOf(call),
  };
}

function bytesOf({ body }: UpstreamCall): readonly Uint8Array[] {
  if (!body || 'form' in body) return [];
  return 'bytes' in body ? body.bytes : [Buffer.from(JSON.stringify(body.json))];
}

function credential({ provider, apiKey }: ProviderConnection): Record<string, string> {
  const { auth } = provider;
  if (!apiKey || auth.type === 'none') return {};
  return auth.type === 'header' ? { [auth.name]: apiKey } : { authorization: `Bearer ${apiKey}` };
}
