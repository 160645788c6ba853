import { type Request } from 'express';
import { type IncomingMessage } from 'node:http';
import { type Caller } from '../contract/caller.js';
import { type GatewayError } from '../contract/gateway-error.js';

/** A request before Express has it. */
export interface ArrivedRequest extends IncomingMessage {
  /** Set first of all, for every request. */
  id: string;
  /** `performance.now()` at arrival. */
  receivedAt: number;
  /** Fields of the request's one log line, filled on the way. */
  log: Record<string, unknown>;
}

/** An Express request with what the edge has learned of it so far. */
export interface GatewayRequest extends Request, Pick<ArrivedRequest, 'id' | 'receivedAt' | 'log'> {
  /** Set by the auth guard; absent on public routes that were called without a key. */
  caller?: Caller;
  /** Set where a limit has refused it that is used up for the key until some time has passed. */
  usedUp?: UsedUp;
  /** The memory that is set aside for it; undefined where that is not counted. */
  lease?: MemoryLease;
  /** Its place among the calls that may run at once; undefined where no limit was looked at. */
  place?: Outlived;
  /** Waits until the request may be worked on beside those of other accounts; undefined when that is now. */
  pass?: () => Promise<void> | undefined;
  /** Aborts what runs for the caller; set while a call runs. */
  leave?: (reason: Error) => void;
  /** Ends the answer with an error event; set while a stream is written. */
  breakOff?: (error: GatewayError) => void;
}

/** A limit that refuses every call of a key until its window ends, or all of its requests. */
export interface UsedUp {
  /** Tokens keep calls out alone. */
  readonly counts: 'requests' | 'tokens';
  /** `performance.now()` when it ends. */
  readonly until: number;
  /** What a request for this path is told meanwhile. */
  readonly refusal: (path: string) => GatewayError;
}

/** What a request takes until it is answered, and nothing outlives it. */
interface Outlived {
  /** Keeps what the request has until what is returned is called once, although it is answered. */
  outlive(): () => void;
}

/** Memory that is set aside for a request until it is answered, and nothing outlives it. */
export interface MemoryLease extends Outlived {
  /**
   * Makes it enough for a body of this many bytes.
   *
   * @throws GatewayError 503 when there is no room.
   */
  forBody(bytes: number): void;
  /**
   * Makes it enough for a body of so many bytes that has so many of `Bounds.parts`.
   *
   * @throws GatewayError 503 when there is no room.
   */
  forParts(bytes: number, parts: number): void;
  /**
   * Makes it enough for an answer of about so many bytes as well, which is not asked for yet.
   *
   * @throws GatewayError 503 when there is no room.
   */
  foreseeAnswer(bytes: number): void;
  /**
   * Counts that many bytes more of a provider's answer, beyond what was foreseen; it is paid for, so there is
   * always room.
   */
  forAnswer(bytes: number): void;
  /** Counts what waits for the caller to take that many bytes of a stream, in place of the last time. */
  forReader(bytes: number): void;
}
