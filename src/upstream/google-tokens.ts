import { Logger } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { GatewayError } from '../contract/gateway-error.js';

/** A token that has less left is replaced while it still serves. */
const REPLACE_BEFORE_MS = 5 * 60_000;
/** A token with less left is not sent any more: the call has to arrive while it is good. */
const LEAST_LEFT_MS = 10_000;
/** An account that is refused itself gets no further token for each of its calls. */
const BETWEEN_REFUSED_MS = 10_000;
/** For one request to the token endpoint. */
const ANSWER_MS = 5_000;
/** A fetch that has failed is the answer to all who ask for so long: what is down is not asked for each call. */
const REMEMBERED_MS = 1_000;

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Where Google's library asks for a service account's token, whatever the file says. */
const USUAL_ENDPOINT = 'https://oauth2.googleapis.com/token';

interface Token {
  readonly text: string;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

const NO_TOKEN: Token = { text: '', endsAt: 0 };

type TokenSource = () => Promise<Token>;

/**
 * Access tokens for the account of a credentials file, fetched when they are first wanted and
 * replaced before they end. https://cloud.google.com/docs/authentication/application-default-credentials
 */
export class GoogleTokens {
  private readonly logger = new Logger(GoogleTokens.name);
  private source: Promise<TokenSource> | undefined;
  private token = NO_TOKEN;
  /** When a token was refused last, by a clock that never goes back. */
  private droppedAt = -Infinity;
  /** That runs, or has just failed. */
  private fetching: Promise<Token> | undefined;
  /** When it did, by the same clock. */
  private failedAt = Infinity;
  /** Why there was no token at the last time, as the log says; undefined where there was one. */
  private lastSaid: string | undefined;

  constructor(private readonly credentialsFile: string) {}

  /**
   * A token to send now; a promise only where none is at hand.
   *
   * @throws GatewayError 502 or 504 (by the promise) when Google gives none; as nothing was sent to a model,
   * the call may be made again where that can pass.
   */
  get(): string | Promise<string> {
    const left = this.token.endsAt - Date.now();
    if (left > REPLACE_BEFORE_MS) return this.token.text;
    if (performance.now() - this.failedAt >= REMEMBERED_MS) this.fetching = undefined;
    this.fetching ??= this.fetch();
    if (left <= LEAST_LEFT_MS) return this.fetching.then(({ text }) => text);
    // A later call tries again, and by then the old one may still be good.
    this.fetching.catch(() => undefined);
    return this.token.text;
  }

  /** Google has refused this token; if it is the one at hand, the next call has a new one. */
  refused(text: string): void {
    const now = performance.now();
    if (now - this.droppedAt < BETWEEN_REFUSED_MS || text !== this.token.text) return;
    this.droppedAt = now;
    this.token = NO_TOKEN;
    // The library has a copy of it. And the file may have another key by now.
    this.source = undefined;
  }

  private async fetch(): Promise<Token> {
    this.failedAt = Infinity;
    try {
      this.source ??= tokenSource(this.credentialsFile);
      this.token = await (await this.source)();
      this.fetching = undefined;
      if (this.lastSaid !== undefined) this.logger.log('Google gives access tokens again.');
      this.lastSaid = undefined;
      return this.token;
    } catch (error) {
      this.failedAt = performance.now();
      // A file that was unreadable may be mended while the gateway runs.
      this.source = undefined;
      const failure = failureOf(error);
      // It may be asked each second.
      if (failure.message !== this.lastSaid) this.logger.warn(failure.message);
      this.lastSaid = failure.message;
      throw failure;
    }
  }
}

/** Google's library weighs enough to be read only where it is needed. */
async function tokenSource(credentialsFile: string): Promise<TokenSource> {
  const { ExternalAccountClient, JWT, UserRefreshClient } = await import('google-auth-library');
  const file = JSON.parse(await readFile(credentialsFile, 'utf8')) as CredentialsFile;
  const options = {
    // Whenever this class asks, the library's own copy of the token is to be replaced too.
    eagerRefreshThresholdMillis: 2 * REPLACE_BEFORE_MS,
    transporterOptions: {
      timeout: ANSWER_MS,
      // The call that wants the token is made again, within the retry budget, and not each request for one.
      retryConfig: { retry: 0 },
      fetchImplementation: fetchFrom(file.token_uri),
    },
  };
  const clients = {
    service_account: () =>
      new JWT({ ...options, email: file.client_email, key: file.private_key, scopes: [SCOPE] }),
    authorized_user: () =>
      new UserRefreshClient({
        ...options,
        clientId: file.client_id,
        clientSecret: file.client_secret,
        refreshToken: file.refresh_token,
      }),
    external_account: () =>
      ExternalAccountClient.fromJSON({
        ...options,
        ...(file as unknown as Parameters<typeof ExternalAccountClient.fromJSON>[0]),
        scopes: [SCOPE],
      }),
  };
  const client = clients[file.type as keyof typeof clients]();
  return async () => {
    const answer = await client?.getAccessToken();
    if (!answer?.token) throw new Error('no token');
    return { text: answer.token, endsAt: client?.credentials.expiry_date ?? Date.now() };
  };
}

/**
 * A service account's file names its endpoint, which not every cloud of Google's has in common. Whoever an
 * answer points to instead gets no proof of who the gateway is.
 */
function fetchFrom(endpoint: unknown): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const moved = url === USUAL_ENDPOINT && typeof endpoint === 'string';
    return fetch(moved ? endpoint : input, { ...init, redirect: 'manual' });
  };
}

/** The fields of a credentials file that are read here. https://google.aip.dev/auth/4110 */
interface CredentialsFile {
  type?: string;
  client_email?: string;
  private_key?: string;
  token_uri?: unknown;
  client_id?: string;
  client_secret?: string;
  refresh_token?: string;
}

/**
 * What a caller is told, with a word such as `invalid_grant`. It has no cause, as the library's errors hold the
 * signed assertion.
 */
function failureOf(error: unknown): GatewayError {
  const { code, config, response } = error as LibraryError;
  const status = typeof response?.status === 'number' ? response.status : 0;
  const word = [response?.data?.error, code].find(
    (value): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value),
  );
  const reason = word ?? (status === 0 ? 'no answer' : `status ${status}`);
  const message = `Google gave the gateway no access token (${reason}).`;
  if (code === 'TimeoutError') {
    return new GatewayError(504, 'upstream_timeout', message, { upstream: { status } });
  }
  const wasAsked = config !== undefined;
  const canPass = wasAsked && (status === 0 || status === 429 || status >= 500);
  return new GatewayError(502, 'upstream_error', message, {
    ...(canPass && { retryAfter: REMEMBERED_MS / 1_000 }),
    upstream: { status, ...(canPass && { unsent: true }) },
  });
}

/** What is read here of the errors of Google's library. */
interface LibraryError {
  readonly code?: unknown;
  /** Of the request that has failed; what fails before one has none. */
  readonly config?: unknown;
  readonly response?: { readonly status?: unknown; readonly data?: { error?: unknown } | null };
}
