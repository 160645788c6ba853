/** A thread that works for ever where it is asked to, and else answers at once. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ id, endless }: { id: number; endless: boolean }) => {
  while (endless);
  parentPort?.postMessage({ id, done: true });
});
