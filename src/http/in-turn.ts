import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FirstStep } from './before-express.js';

/** Requests of one connection that are worked on at once. */
const MOST_AT_ONCE = 10;
/** And those that may wait for that; clients that send several at once send a few. */
const MOST_WAITING = 100;

/**
 * Has a request that came before earlier ones of its connection were answered wait until all but a few of
 * those answers are taken, behind which its own has to wait anyhow: so a connection costs what a few requests
 * do, however many it brings and however little it reads. One that brings far too many is broken off.
 */
export function inTurn(): FirstStep {
  const open = new WeakMap<Socket, ServerResponse[]>();
  return ({ socket }, response, next) => {
    const responses = open.get(socket) ?? [];
    const before = responses.at(-MOST_AT_ONCE);
    responses.push(response);
    open.set(socket, responses);
    response.once('close', () => responses.splice(responses.indexOf(response), 1));
    if (responses.length > MOST_AT_ONCE + MOST_WAITING) socket.destroy();
    else if (before === undefined) next();
    else {
      // They are over in their order; and whoever counts them has counted this one off by then.
      before.once('close', () => {
        queueMicrotask(() => {
          if (!socket.destroyed) next();
        });
      });
    }
  };
}
