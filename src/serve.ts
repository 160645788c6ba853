import { type NestExpressApplication } from '@nestjs/platform-express';
import { setTimeout as delay } from 'node:timers/promises';
import { FirstStart } from './accounts/first-start.service.js';
import { createApp } from './app.js';
import { type Config } from './config/config.js';
import { ConfigError, readConfig } from './config/read-config.js';
import { Lifecycle } from './health/lifecycle.js';
import { createLogger } from './telemetry/logger.js';
import { welcome } from './welcome.js';

/** Starts the gateway and keeps it running until it is told to stop. */
export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const config = readConfig(env);
    const app = await createApp(config, createLogger(config.logLevel, process.stdout));
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

/** Readiness turns first; requests in flight may finish; then everything is closed. */
function stopOnSignal(app: NestExpressApplication, config: Config): void {
  const stop = async (): Promise<void> => {
    app.get(Lifecycle).drain();
    await delay(config.drainDelayMs);
    const server = app.getHttpServer();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await Promise.race([closed, delay(config.graceMs, undefined, { ref: false })]);
    server.closeAllConnections();
    await app.close();
    process.exit(0);
  };
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= stop();
    });
  }
}
