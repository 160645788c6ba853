import { createHash } from 'node:crypto';
import { type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type ProviderConnection } from '../providers/provider.js';
import { type OutgoingRequest, type StreamedBody } from '../providers/transport.js';
import { awsSignature } from './aws-signature.js';
import { GoogleTokens } from './google-tokens.js';

type Call = Pick<OutgoingRequest, 'method' | 'url' | 'body'>;
type Headers = Readonly<Record<string, string>>;

/** Knows how each provider wants the gateway to prove who it is. */
export class Credentials {
  private readonly googleTokens: GoogleTokens | undefined;

  constructor(private readonly config: Pick<Config, 'aws' | 'googleCloud'>) {
    const { credentialsFile } = config.googleCloud;
    if (credentialsFile !== undefined) this.googleTokens = new GoogleTokens(credentialsFile);
  }

  /**
   * The headers for a call; a promise only where a token has to be fetched or a streamed body read
   * first.
   *
   * @throws GatewayError 502 when there is no credential to be had.
   */
  headers({ provider, apiKey }: ProviderConnection, call: Call): Headers | Promise<Headers> {
    const { auth } = provider;
    if (auth.type === 'none') return {};
    if (apiKey !== undefined) {
      return auth.type === 'header'
        ? { [auth.name]: (auth.prefix ?? '') + apiKey }
        : bearer(apiKey);
    }
    if (auth.type === 'aws-signature') {
      const { keys, region } = this.config.aws;
      if (!keys || region === undefined) throw missing(provider.name);
      const scope = { keys, region, service: auth.service, now: new Date() };
      const { body } = call;
      if (!('pieces' in body)) return awsSignature({ ...call, body }, scope);
      return sha256(body).then((digest) => awsSignature({ ...call, body: digest }, scope));
    }
    if (auth.type !== 'google-oauth') return {};
    if (!this.googleTokens) throw missing(provider.name);
    const token = this.googleTokens.get();
    return typeof token === 'string' ? bearer(token) : token.then(bearer);
  }

  /** A provider has answered 401 to a call with these headers. */
  refused({ authorization }: Headers): void {
    if (authorization) this.googleTokens?.refused(authorization.replace('Bearer ', ''));
  }
}

async function sha256(body: StreamedBody): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body.pieces()) hash.update(piece);
  return hash.digest('hex');
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

function missing(provider: string): GatewayError {
  const message = `The gateway has no credential for the provider ${provider}.`;
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 0 } });
}
