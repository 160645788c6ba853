import cluster from 'node:cluster';
import { type Logger } from 'pino';
import { beforeLoading } from './before-loading.js';
import { type Environment } from './config/environment.js';
import { ConfigError, readConfig } from './config/read-config.js';
import { type StopSignals } from './signals.js';
import { createLogger, flushed } from './telemetry/logger.js';

/** Starts the gateway, in as many processes as `WORKERS` says, and runs it until it is told to stop. */
export async function serve(env: Environment, signals: StopSignals): Promise<void> {
  try {
    const config = readConfig(env);
    const logger = createLogger(config.logLevel, process.stdout);
    endOnFault(logger);
    await beforeLoading(config);
    if (config.workers > 1 && cluster.isPrimary) {
      const { runPrimary } = await import('./primary.js');
      runPrimary(config, logger, signals);
    } else {
      const { runGateway } = await import('./gateway.js');
      await runGateway(config, logger, signals);
    }
  } catch (error) {
    process.stderr.write(`${await told(error, env)}\n`);
    process.exit(1);
  }
}

/** Whoever reads it can do something about wrong settings, and should not find them one by one. */
async function told(error: unknown, env: Environment): Promise<string> {
  if (!(error instanceof ConfigError)) return (error as Error).stack ?? String(error);
  const { everyProblem } = await import('./wrong-settings.js');
  return everyProblem(env, error).message;
}

/** What nobody expected leaves the process in a state that nobody knows: a new one is better. */
function endOnFault(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.fatal({ error: String((error as Error | null)?.stack ?? error) }, 'unexpected error');
    void flushed(logger).then(() => process.exit(1));
  };
  process.once('unhandledRejection', end);
  process.once('uncaughtException', end);
}
