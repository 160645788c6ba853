import { type NextFunction, type Response } from 'express';
import { type Logger } from 'pino';
import { type GatewayRequest } from './gateway-request.js';

/** Paths that are asked every few seconds and say nothing. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * Writes one line when a request is over: never a body, a header, a query or a key.
 */
export function requestLog(logger: Logger) {
  return (request: GatewayRequest, response: Response, next: NextFunction): void => {
    response.once('close', () => {
      if (QUIET.test(request.path)) return;
      const { caller } = request;
      logger.info(
        {
          requestId: request.id,
          method: request.method,
          path: request.path.slice(0, 200),
          status: response.statusCode,
          ms: Math.round(performance.now() - request.receivedAt),
          ...(caller && { account: caller.accountId, key: caller.keyId }),
          ...(!response.writableFinished && { aborted: true }),
          ...request.log,
        },
        'request',
      );
    });
    next();
  };
}
