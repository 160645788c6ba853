/** A thread that works for ever where it is asked to, and else answers at once. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ endless }: { endless: boolean }) => {
  while (endless);
  parentPort?.postMessage({ done: true });
});
