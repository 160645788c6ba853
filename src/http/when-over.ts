import { type NextFunction, type Response } from 'express';
import { LEFT_STATUS } from '../contract/usage-record.js';
import { type GatewayRequest } from './gateway-request.js';

/** What is done with a request that is over: answered, or left by its caller. */
export type EndHandler = (request: GatewayRequest, response: Response) => void;

/** Express middleware that calls each of them once, in their order. */
export function whenOver(...handlers: readonly EndHandler[]) {
  return (request: GatewayRequest, response: Response, next: NextFunction): void => {
    response.once('close', () => {
      for (const handle of handlers) handle(request, response);
    });
    next();
  };
}

/** The status that the caller was sent; 499 where he left before there was one. */
export function endStatus({ headersSent, statusCode }: Response): number {
  return headersSent ? statusCode : LEFT_STATUS;
}
