import { Logger, Module } from '@nestjs/common';
import cluster from 'node:cluster';
import { url as debuggerUrl } from 'node:inspector';
import { BEAT, BEAT_MS, Line } from './line.js';
import { Primary } from './primary.service.js';

/** Gives whoever has something to share with the other workers of this machine a `Primary`. */
@Module({
  providers: [{ provide: Primary, useFactory: () => new Primary(lineToPrimary()) }],
  exports: [Primary],
})
export class ClusterModule {}

/**
 * Tells the primary from now on that this process lives. Workers that a suite starts call it, too, by its name
 * in a text.
 *
 * @returns undefined where it is no worker.
 */
export function lineToPrimary(): Line | undefined {
  if (!cluster.isWorker) return undefined;
  const logger = new Logger('Cluster');
  const line = new Line(
    (message) => {
      // A primary that is gone takes this process with it: there is nobody to tell of a failure.
      process.send?.(message, undefined, {}, () => undefined);
    },
    (name, error) => {
      logger.error({ name, error: String(error), msg: 'the first process could not be answered' });
    },
  );
  process.on('message', (message) => {
    line.receive(message);
  });
  // Whoever debugs it may hold it for as long as that takes.
  const beat = (): void => {
    line.tell(BEAT, debuggerUrl() === undefined);
  };
  beat();
  setInterval(beat, BEAT_MS).unref();
  return line;
}
