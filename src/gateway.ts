import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { FirstStart } from './accounts/first-start.service.js';
import { createApp } from './app.js';
import { Primary } from './cluster/primary.service.js';
import { type Config } from './config/config.js';
import { Listeners } from './http/listeners.js';
import { listenFailure } from './listen-failure.js';
import { type StopSignals } from './signals.js';
import { stopped } from './stop.js';
import { flushed } from './telemetry/logger.js';
import { welcome } from './welcome.js';

/**
 * Runs a gateway in this process, alone or as one worker of several.
 *
 * @throws ConfigError when the models, a provider's address, the database's file, `HOST` or `PORT` are wrong.
 */
export async function runGateway(
  config: Config,
  logger: Logger,
  signals: StopSignals,
): Promise<void> {
  const app = await createApp(config, logger);
  const primary = app.get(Primary, { strict: false });
  const { newKeys, makingKeys } = app.get(FirstStart);
  const stop = stopping(app, config, logger);
  const started = Promise.withResolvers<undefined>();
  const stopLater = () => void started.promise.then(stop);
  const waits = (): void => {
    if (!primary.exists) signals.handOver(stopLater);
  };
  primary.on('stop', stop);
  void newKeys.then(waits);
  // Keys are shown only once: when they are made, a stop waits until they have been.
  void makingKeys.then(() => {
    waits();
    primary.on('stop', stopLater);
    primary.tell('keys');
  });
  await app.init();
  await listen(app, primary, config);
  if (!primary.exists) signals.handOver(stop);
  const url = await app.getUrl();
  // While the database cannot be reached the gateway runs, not ready, and the keys come later.
  const text = welcome(url, await newKeys);
  if (primary.exists) primary.tell('started', text);
  else process.stdout.write(text);
  started.resolve(undefined);
}

/** @throws ConfigError when it cannot listen on `HOST` and `PORT`. */
async function listen(
  app: NestExpressApplication,
  primary: Primary,
  config: Config,
): Promise<void> {
  const { host, port } = config;
  try {
    // The primary deals connections out evenly: shared sockets would not spread a few of them so.
    if (primary.exists) await app.listen(port, host);
    else await app.get(Listeners, { strict: false }).open(app, port, host);
  } catch (error) {
    throw listenFailure(error, config);
  }
}

/** Called once it stops the gateway when its requests have ended; called again it ends them now. */
function stopping(app: NestExpressApplication, config: Config, logger: Logger): () => void {
  const hurry = new AbortController();
  let stopping: Promise<void> | undefined;
  return () => {
    logger.info(stopping ? 'The gateway stops at once' : 'The gateway stops: its requests may end');
    if (stopping) hurry.abort();
    // A stop that fails is logged and ends the process with 1, as all that nobody expected.
    stopping ??= stopped(app, config, hurry.signal)
      .then(() => flushed(logger))
      .then(() => process.exit(0));
  };
}
