import { type Request } from 'express';
import { type Caller } from '../contract/caller.js';
import { type GatewayError } from '../contract/gateway-error.js';

/** An Express request with what the edge has learned of it so far. */
export interface GatewayRequest extends Request {
  /** Set first of all, for every request. */
  id: string;
  /** `performance.now()` at arrival. */
  receivedAt: number;
  /** Fields of the request's one log line, filled on the way. */
  log: Record<string, unknown>;
  /** Set by the auth guard; absent on public routes that were called without a key. */
  caller?: Caller;
  /** Aborts what runs for the caller; set while a call runs. */
  leave?: (reason: Error) => void;
  /** Ends the answer with an error event; set while a stream is written. */
  breakOff?: (error: GatewayError) => void;
}
