import { type LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { type LogLevel } from '../config/config.js';

/** One JSON object a line; readable lines where somebody looks at a terminal. */
export function createLogger(level: LogLevel, output: NodeJS.WriteStream & { fd: number }): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!output.isTTY) return pino(options, pino.destination({ fd: output.fd, sync: false }));
  const readable = pretty({ colorize: true, destination: output, translateTime: 'HH:MM:ss.l' });
  return pino(options, readable);
}

const STARTUP_CONTEXTS = new Set([
  'ExceptionHandler',
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

const QUIET_LEVELS = new Set(['info', 'error']);

/** Lets Nest and everything that uses its `Logger` write to the same place. */
export function nestLogger(logger: Logger): LoggerService {
  const write =
    (level: 'info' | 'error' | 'warn' | 'debug' | 'trace') =>
    (message: unknown, ...rest: unknown[]): void => {
      // Nest tells of every module and route that it starts; that is for debugging, and so is what
      // it throws besides.
      const quiet = QUIET_LEVELS.has(level) && STARTUP_CONTEXTS.has(String(rest.at(-1)));
      const context = rest.findLast((part) => typeof part === 'string');
      const fields = typeof message === 'object' && message !== null ? message : {};
      const text = typeof message === 'string' ? message : undefined;
      const stack = level === 'error' && rest.length > 1 ? { stack: rest[0] } : {};
      logger[quiet ? 'debug' : level]({ context, ...fields, ...stack }, text);
    };
  return {
    log: write('info'),
    error: write('error'),
    warn: write('warn'),
    debug: write('debug'),
    verbose: write('trace'),
  };
}
