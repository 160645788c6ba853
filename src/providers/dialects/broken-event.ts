import { parsedJson } from '../../json/values.js';
import { type ServerEvent } from '../provider.js';

/** Its data is looked at more than once, and some remember what it says. */
interface Event extends Pick<ServerEvent, 'data'> {
  readonly json?: unknown;
}

/** Whether an event begins as JSON, so that it is no noise, and does not end as JSON: it was cut. */
export function isBroken(event: Event): boolean {
  return /^\s*\{/.test(event.data) && jsonIn(event) === undefined;
}

/** What an event's data says; undefined where it is no JSON. */
export function jsonIn(event: Event): unknown {
  return 'json' in event ? event.json : parsedJson(event.data);
}
