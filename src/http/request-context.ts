import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type GatewayRequest } from './gateway-request.js';

/** The reason for which everything ends that runs for a caller: he has hung up. */
export class CallerLeft extends Error {}

/** The `RequestContext` of a guarded route. */
export const Context = createParamDecorator((_: unknown, execution: ExecutionContext) => {
  const http = execution.switchToHttp();
  return requestContext(http.getRequest<GatewayRequest>(), http.getResponse<Response>());
});

function requestContext(request: GatewayRequest, response: Response): RequestContext {
  const { caller } = request;
  if (!caller) throw new GatewayError(500, 'internal_error', 'The route has no caller');
  const hangUp = new AbortController();
  request.leave = (reason) => {
    hangUp.abort(reason);
  };
  response.once('close', () => {
    if (!response.writableFinished) hangUp.abort(new CallerLeft('The caller hung up'));
  });
  return {
    id: request.id,
    caller,
    signal: hangUp.signal,
    headers: request.headers as Readonly<Record<string, string | undefined>>,
    receivedAt: request.receivedAt,
    log: request.log,
    foreseeAnswer: (bytes) => request.lease?.foreseeAnswer(bytes),
    holdAnswer: (bytes) => request.lease?.forAnswer(bytes),
    outlive: () => {
      const ends = [request.lease, request.place].map((taken) => taken?.outlive());
      return () => {
        for (const end of ends) end?.();
      };
    },
  };
}
