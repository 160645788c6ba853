import cluster from 'node:cluster';
import { type Logger } from 'pino';
import { ConfigError, readConfig } from './config/read-config.js';
import { StopSignals } from './signals.js';
import { createLogger } from './telemetry/logger.js';

/** Starts the gateway, in as many processes as `WORKERS` says, and runs it until it is told to stop. */
export async function serve(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  // A terminal and systemd tell the workers, too, which only listen to the primary.
  const signals = new StopSignals(() => cluster.isWorker || process.exit(0));
  try {
    const config = readConfig(env);
    const logger = createLogger(config.logLevel, process.stdout);
    endOnFault(logger);
    if (config.workers > 1 && cluster.isPrimary) {
      const { runPrimary } = await import('./primary.js');
      runPrimary(config, logger, signals);
    } else {
      const { runGateway } = await import('./gateway.js');
      await runGateway(config, logger, signals);
    }
  } catch (error) {
    const { message, stack } = error as Error;
    // Whoever reads it can do something about a wrong setting.
    const text = error instanceof ConfigError ? message : (stack ?? String(error));
    process.stderr.write(`${text}\n`);
    process.exit(1);
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
