import { EVENT_BOUNDS } from '../json/bounds.js';
import { excess } from '../json/excess.js';
import { tooMuch } from './too-much.js';

const LF = 0x0a;
/** What is shorter is parsed in a few milliseconds, whatever is in it. */
const SHORT_BYTES = 256 * 1024;
/** An event that has its JSON printed in lines has far fewer. */
const MOST_LINES = 100_000;

/**
 * The event, which is read in one go, and more than once.
 *
 * @throws GatewayError 502 when there is more in it than any event has.
 */
export function boundedEvent(event: Buffer): Buffer {
  if (event.length <= SHORT_BYTES) return event;
  if (!hasMoreLines(event) && !excess(event, EVENT_BOUNDS)) return event;
  throw tooMuch('The provider sent an event with too much in it.');
}

function hasMoreLines(event: Buffer): boolean {
  let lines = 0;
  for (let at = event.indexOf(LF); at >= 0; at = event.indexOf(LF, at + 1)) {
    if (++lines > MOST_LINES) return true;
  }
  return false;
}
