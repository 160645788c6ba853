import { type Units } from './money.js';
import { type Usage } from './usage.js';

/** One try at one model. */
export interface Attempt {
  readonly model: string;
  readonly provider: string;
  /** The provider's HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly ms: number;
  /** It was cut: another try of a hedged call had answered, or the gateway was stopped. */
  readonly cancelled?: true;
  /** It was not made, because the model had failed too often. */
  readonly circuit?: 'open';
}

/** How calls end. `rejected`: refused here, before any provider was called. */
export const OUTCOMES = ['ok', 'error', 'client_closed', 'rejected'] as const;
/** One of them. */
export type Outcome = (typeof OUTCOMES)[number];

/** The durable row of one call. Never holds a prompt, an output or a header but a session's marks. */
export interface UsageRecord {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The route's path below `/v3`, such as `/v1/messages`. */
  readonly endpoint: string;
  readonly requestedModel: string;
  /** The model that served, or was tried last; null when none was tried. */
  readonly model: string | null;
  readonly provider: string | null;
  /** The HTTP status that the caller got. */
  readonly status: number;
  readonly outcome: Outcome;
  readonly usage: Usage;
  readonly cost: Units;
  /** The provider gave no usable count, so the tokens are our own count. */
  readonly estimated: boolean;
  readonly attempts: readonly Attempt[];
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  /** The caller's own `user` and `metadata`, and its agent's session, kept to find the row again. */
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The status of a call whose caller has left before there was an answer. */
export const LEFT_STATUS = 499;
