import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { FirstStart } from './accounts/first-start.service.js';
import { createApp } from './app.js';
import { type Config } from './config/config.js';
import { ConfigError, readConfig } from './config/read-config.js';
import { stopped } from './stop.js';
import { createLogger } from './telemetry/logger.js';
import { welcome } from './welcome.js';

/** Starts the gateway and keeps it running until it is told to stop. */
export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const config = readConfig(env);
    const logger = createLogger(config.logLevel, process.stdout);
    endOnFault(logger);
    const app = await createApp(config, logger);
    await app.listen(config.port, config.host);
    stopOnSignal(app, config);
    const url = await app.getUrl();
    // While the database cannot be reached the gateway runs, not ready, and the keys come later.
    process.stdout.write(welcome(url, await app.get(FirstStart).newKeys));
  } catch (error) {
    const expected = error instanceof ConfigError;
    process.stderr.write(`${expected ? error.message : String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  }
}

/** The first signal stops the gateway when its requests have ended; another one ends them now. */
function stopOnSignal(app: NestExpressApplication, config: Config): void {
  const hurry = new AbortController();
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) hurry.abort();
      stopping ??= stopped(app, config, hurry.signal).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

/** What nobody expected leaves the process in a state that nobody knows: a new one is better. */
function endOnFault(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.fatal({ error: String((error as Error | null)?.stack ?? error) }, 'unexpected error');
    logger.flush(() => process.exit(1));
    setTimeout(() => process.exit(1), 1_000);
  };
  process.once('unhandledRejection', end);
  process.once('uncaughtException', end);
}
