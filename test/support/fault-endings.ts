import { expect } from '@jest/globals';
import { type Kind } from './fault-answers.js';
import { type Reply } from './fault-callers.js';
import { type Booked } from './fault-gateway.js';
import { type Ending } from './fault-modes.js';

/**
 * How a reply ended, by its own words; fails when it is not well-formed in the format of its path.
 */
export function endingOf({ status, headers, text }: Reply): Ending | string {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    const last = text.replaceAll('\r\n', '\n').trimEnd().split('\n\n').at(-1) ?? '';
    if (last === 'event: message_stop\ndata: {"type":"message_stop"}') return 'answer';
    expect(last).toMatch(/^event: error\ndata: /);
    expect(text).not.toContain('event: message_stop');
    return JSON.parse(last.slice('event: error\ndata: '.length)).error.type;
  }
  expect(type).toMatch(/^application\/json/);
  const body = JSON.parse(text);
  if (status === 200) return typeof body.cost === 'number' ? 'answer' : `without a cost: ${text}`;
  expect(body.error.message).toEqual(expect.any(String));
  expect(body.error.type).toEqual(expect.any(String));
  if ('request_id' in body) expect(body.type).toBe('error');
  else expect(Object.keys(body.error)).toEqual(['message', 'type', 'param', 'code']);
  return status;
}

/** The status that callers of a path know for it. */
export function told(ending: Ending, kind: Kind): Ending {
  if (ending !== 'overloaded') return ending;
  return kind === 'messages' || kind === 'stream' ? 529 : 503;
}

/** Fails when a reply shows what is only the gateway's and the provider's. */
export function expectNoSecrets({ text, headers }: Reply): void {
  const shown = text + JSON.stringify([...headers]);
  for (const secret of [
    /upstream-(openai|anthropic)-key/,
    /127\.0\.0\.1/,
    /<html>/,
    /Secret/,
    /node_modules/,
  ]) {
    expect(shown).not.toMatch(secret);
  }
}

/** A failure costs nothing, unless the provider had reported usage before. */
export function expectPaid(ending: Ending, { row, charges }: Booked): void {
  if (ending === 'answer') expect(row).toMatchObject({ outcome: 'ok', estimated: false });
  else expect(row.outcome).toBe('error');
  if (typeof ending === 'number' || ending === 'overloaded') {
    expect([row.cost, charges]).toEqual([0, []]);
  } else {
    expect(row.cost).toBeGreaterThan(0);
    expect(charges).toEqual([-row.cost]);
  }
}
