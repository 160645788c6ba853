import { GatewayError } from '../contract/gateway-error.js';

/** What a caller is told while the database cannot be reached. */
export function away(cause?: unknown): GatewayError {
  return new GatewayError(503, 'provider_unavailable', 'The gateway cannot reach its database.', {
    retryAfter: 1,
    cause,
  });
}

/** The database could not be reached, or did not answer in time. */
export class ConnectionLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionLost';
  }
}

/**
 * What a failed statement asks for: `retry` it at once (it lost against another transaction), wait
 * because the database is `away`, or give up because the statement is at `fault`.
 */
export type Failure = 'retry' | 'away' | 'fault';

/** Reads a driver's error. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function failureOf(error: unknown): Failure {
  if (error instanceof ConnectionLost) return 'away';
  const code = sqlCode(error);
  if (code === undefined) return 'fault';
  if (RETRY.test(code)) return 'retry';
  return AWAY.test(code) ? 'away' : 'fault';
}

/** Whether the database answers but takes nothing: its disk is full, broken or read-only. */
export function refusesWrites(error: unknown): boolean {
  return REFUSAL.test(sqlCode(error) ?? '');
}

/** The code that the database itself gave to an error; undefined when it comes from elsewhere. */
export function sqlCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && SQL_CODE.test(code) ? code : undefined;
}

// An SQLSTATE begins with a digit or one of four letters; `EPIPE` is none.
const SQL_CODE = /^(SQLITE_\w+|[\dFHPX][\dA-Z]{4})$/;

// Busy or locked; serialization failure, deadlock, lock not available.
const RETRY = /^(SQLITE_(BUSY|LOCKED)|40001$|40P01$|55P03$)/;

const REFUSAL = /^(SQLITE_(FULL|IOERR|READONLY)|53100$|25006$)/;

// A disk that is full, broken or read-only; connection exceptions, no resources, shutdown or
// timeout by the operator, system errors, a standby that takes no writes.
const AWAY = /^(SQLITE_(FULL|IOERR|CANTOPEN|READONLY)|08|53|57|58|25006$)/;
