import { type Logger } from 'pino';
import { type EndHandler, endStatus } from './when-over.js';

/** Paths that are asked every few seconds and say nothing. */
const QUIET = /^\/(health\/|metrics$)/;

/** Writes one line for a request that is over: never a body, a header, a query or a key. */
export function requestLog(logger: Logger): EndHandler {
  return (request, response) => {
    if (QUIET.test(request.path)) return;
    const { caller } = request;
    logger.info(
      {
        requestId: request.id,
        method: request.method,
        path: request.path.slice(0, 200),
        status: endStatus(response),
        ms: Math.round(performance.now() - request.receivedAt),
        ...(caller && { account: caller.accountId, key: caller.keyId }),
        ...(!response.writableFinished && { aborted: true }),
        ...request.log,
      },
      'request',
    );
  };
}
