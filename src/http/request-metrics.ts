import { type NextFunction, type Response } from 'express';
import { type Metrics } from '../telemetry/metrics.service.js';
import { type GatewayRequest } from './gateway-request.js';

/** Counts and times a request when it is over. */
export function requestMetrics(metrics: Metrics) {
  return (request: GatewayRequest, response: Response, next: NextFunction): void => {
    response.once('close', () => {
      const { method, log } = request;
      const status = response.statusCode;
      const { path } = (request.route ?? {}) as { path?: string };
      const seconds = (performance.now() - request.receivedAt) / 1_000;
      metrics.request({ method, route: path, status, seconds });
      if (!log.attempts) metrics.refused(status);
    });
    next();
  };
}
