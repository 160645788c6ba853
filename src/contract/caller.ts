import { type Units } from './money.js';

/** What a key is for: calls and its own account, or the management. */
export type Scope = 'inference' | 'admin';

/** The account and key behind a request. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** A sandbox key is answered by the sandbox, whatever model it names, at no cost. */
  readonly keyType: 'live' | 'sandbox';
  readonly scopes: readonly Scope[];
  /** Region code, or null for no restriction. */
  readonly region: string | null;
  /** Patterns such as `openai/*`; null allows every model. */
  readonly accountModels: readonly string[] | null;
  readonly keyModels: readonly string[] | null;
  /** Overrides of the default rate limit, as `N/s`, `N/m` or `N/h`. */
  readonly accountRateLimit: string | null;
  readonly keyRateLimit: string | null;
  /** The account has credits: a call needs a hold before it leaves. */
  readonly limited: boolean;
  /** What the key may spend in a window; null for no limit of its own. */
  readonly spendLimit: SpendLimit | null;
  /** The key for which its spending counts: the first of those that were rotated, or itself. */
  readonly budgetId: string;
  readonly keyTokensPerMinute: number | null;
  /** Calls that may run at once; null for no limit. */
  readonly accountMaxConcurrent: number | null;
  readonly keyMaxConcurrent: number | null;
}

/** The most that a key may spend in each day, week or month (UTC), or ever. */
export interface SpendLimit {
  readonly amount: Units;
  readonly per: 'day' | 'week' | 'month' | 'total';
}

/** Who asks, and what every layer needs to know of the request beside its body. */
export interface RequestContext {
  /** The value of the response's `x-request-id`. */
  readonly id: string;
  readonly caller: Caller;
  /**
   * Aborted when the caller hangs up before the answer is complete; with a `GatewayError` when the
   * gateway is being stopped and has told so in its place.
   */
  readonly signal: AbortSignal;
  /** The request's own headers, names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** `performance.now()` at arrival. */
  readonly receivedAt: number;
  /** What becomes of the request, for its one log line; filled on the way. */
  readonly log: Record<string, unknown>;
  /**
   * Sets memory aside for an answer of about so many bytes, before it is asked for.
   *
   * @throws GatewayError 503 when there is no room.
   */
  readonly foreseeAnswer: (bytes: number) => void;
  /** Counts bytes of an answer that is kept in memory until it is sent. */
  readonly holdAnswer: (bytes: number) => void;
  /**
   * Counts the memory of the request, and its place among the calls that run at once, when its caller has
   * left, until what is returned is called.
   */
  readonly outlive: () => () => void;
}
