import { type Metrics } from '../telemetry/metrics.service.js';
import { type EndHandler, endStatus } from './when-over.js';

/** Counts and times a request that is over. */
export function requestMetrics(metrics: Metrics): EndHandler {
  return ({ method, log, route, receivedAt }, response) => {
    const status = endStatus(response);
    const { path } = (route ?? {}) as { path?: string };
    const seconds = (performance.now() - receivedAt) / 1_000;
    metrics.request({ method, route: path, status, seconds });
    if (!log.attempts) metrics.refused(status);
  };
}
