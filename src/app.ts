import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { AppModule } from './app.module.js';
import { type Config } from './config/config.js';
import { Lifecycle } from './health/lifecycle.js';
import { beforeExpress, type FirstStep } from './http/before-express.js';
import { clearHead } from './http/clear-head.js';
import { inTurn } from './http/in-turn.js';
import { pacePieces } from './http/pace-pieces.js';
import { mostConnections, SPARE_CONNECTIONS } from './http/most-connections.js';
import { readsInTurn } from './http/reads-in-turn.js';
import { requestId } from './http/request-id.js';
import { requestLog } from './http/request-log.js';
import { requestMetrics } from './http/request-metrics.js';
import { RunningRequests } from './http/running-requests.js';
import { limitServer } from './http/server-limits.js';
import { cutUnread } from './http/stalled-reader.js';
import { whenOver } from './http/when-over.js';
import { serveDocumentation } from './openapi.js';
import { RefusedKeys } from './overload/refused-keys.js';
import { nestLogger } from './telemetry/logger.js';
import { Metrics } from './telemetry/metrics.service.js';

/**
 * The whole gateway, ready to listen; the tests start it the same way.
 *
 * @throws ConfigError when the models or a provider's address are wrong.
 */
export async function createApp(config: Config, logger: Logger): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), {
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting);
  matchCase(app);
  app.set('trust proxy', config.trustProxy);
  const running = app.get(RunningRequests);
  running.watch(app.getHttpServer(), mostConnections(config) + SPARE_CONNECTIONS);
  const refusedKeys = app.get(RefusedKeys, { strict: false });
  const closing = closingWhileParting(app.get(Lifecycle));
  const unread = cutUnread(config.streamStallMs);
  const steps = [
    pacePieces(app.getHttpServer()),
    inTurn(),
    requestId,
    running.track,
    unread,
    closing,
    readsInTurn(),
    refusedKeys.check,
  ];
  beforeExpress(app.getHttpServer(), ...steps);
  app.use(
    whenOver(
      requestMetrics(app.get(Metrics, { strict: false })),
      requestLog(logger),
      refusedKeys.note,
    ),
    clearHead,
  );
  serveDocumentation(app);
  limitServer(app.getHttpServer());
  return app;
}

/**
 * Has a path met in its own letters only, as the limits and proxies know it. The adapter has a router already,
 * to which the setting of Express that says so comes too late.
 */
function matchCase(app: NestExpressApplication): void {
  const { router } = app.getHttpAdapter().getInstance();
  Object.assign(router, { caseSensitive: true });
}

/** While the process goes down, callers are told to take their next request elsewhere. */
function closingWhileParting(lifecycle: Lifecycle): FirstStep {
  return (_request, response, next) => {
    if (lifecycle.isParting()) response.setHeader('connection', 'close');
    next();
  };
}
