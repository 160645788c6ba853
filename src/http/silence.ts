import { type IncomingMessage } from 'node:http';

const MOST_SILENCE_MS = 30_000;

/**
 * Tells when a body that is being read stands still for half a minute: its sender may be gone without a
 * word, and what it takes is kept from others.
 *
 * @returns ends the watch.
 */
export function whenSilent(request: IncomingMessage, silent: () => void): () => void {
  const timer = setTimeout(silent, MOST_SILENCE_MS);
  const refresh = (): void => {
    timer.refresh();
  };
  request.on('data', refresh);
  return () => {
    clearTimeout(timer);
    request.off('data', refresh);
  };
}
