import { type LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { type LogLevel } from '../config/config.js';

/** What waits for whoever reads the log, in characters; what comes on top is dropped, and counted. */
const MOST_WAITING = 8 * 2 ** 20;
/** How long the end of the process waits for somebody to read more of the log. */
const UNREAD_MS = 1_000;
/** After how long a write that was refused is tried again: a constant of the destination's. */
const TRIED_AGAIN_MS = 100;
/** What a destination is told when that was in vain. */
const GIVEN_UP = 'given-up';

/**
 * One JSON object a line; readable lines where somebody looks at a terminal.
 *
 * Nobody's reading holds the gateway up: lines beyond 8 MB that wait are dropped, which the log says as
 * soon as it is read again, and a process that ends waits for a reader for two seconds at most.
 */
export function createLogger(level: LogLevel, output: NodeJS.WriteStream & { fd: number }): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (output.isTTY) {
    const readable = pretty({ colorize: true, destination: output, translateTime: 'HH:MM:ss.l' });
    return pino(options, readable);
  }
  const destination = boundedDestination(output);
  const logger = pino(options, destination);
  let dropped = 0;
  destination.on('drop', () => (dropped += 1));
  destination.on('drain', () => {
    if (dropped > 0) logger.warn({ lines: dropped }, 'lines were dropped: the log was not read');
    dropped = 0;
  });
  return logger;
}

/**
 * What is written to a pipe that nobody reads is refused from now on, and does not halt this process. So it is
 * from its start, but all that share the pipe share that: each fork undoes it, and a process that has begun with
 * it undone does so again when it ends.
 */
export function waitForNobody(output: NodeJS.WriteStream): void {
  const { _handle: handle } = output as { readonly _handle?: Pipe | null };
  handle?.setBlocking?.(false);
}

interface Pipe {
  readonly setBlocking?: (isBlocking: boolean) => void;
}

/** Keeps so much in memory and no more, and gives up at the end of the process when nobody reads it. */
function boundedDestination(
  output: NodeJS.WriteStream & { fd: number },
): ReturnType<typeof pino.destination> {
  let isLast = false;
  let isGivenUp = false;
  let unread = Infinity;
  let readAt = 0;
  const destination = pino.destination({
    fd: output.fd,
    sync: false,
    // With none there is nothing to wait for when it is flushed.
    minLength: 1,
    maxLength: MOST_WAITING,
    retryEAGAIN: (_error, next, others) => {
      // Of two timers of one length that comes first which was made first.
      if (!isLast) setTimeout(waitForNobody, TRIED_AGAIN_MS, output).unref();
      const left = next + others;
      if (left < unread) readAt = performance.now();
      unread = left;
      return !isLast || (!isGivenUp && performance.now() - readAt < UNREAD_MS);
    },
  });
  destination.once(GIVEN_UP, () => (isGivenUp = true));
  const flushSync = destination.flushSync.bind(destination);
  // After a line of level `fatal` pino asks for it too, which would halt the process until somebody reads.
  destination.flushSync = () => {
    if (isLast) flushSync();
  };
  // Before the listener of pino's own, which would try for ever and then throw.
  process.prependOnceListener('exit', () => {
    [isLast, unread] = [true, Infinity];
    waitForNobody(output);
    try {
      destination.flushSync();
    } catch {
      // Nobody reads it.
    }
    destination.destroy();
  });
  return destination;
}

/**
 * Resolves when all that was logged has been read, or nothing of it for a second: the process may end then.
 * Ended sooner, it would lose the lines that are being written, from the middle of the log.
 */
export function flushed(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const unread = setTimeout(() => {
      output.emit(GIVEN_UP);
      resolve();
    }, UNREAD_MS);
    const { [pino.symbols.streamSym]: output } = logger as Logger & {
      readonly [pino.symbols.streamSym]: NodeJS.EventEmitter;
    };
    output.on('write', () => unread.refresh());
    logger.flush(() => {
      resolve();
    });
  });
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
