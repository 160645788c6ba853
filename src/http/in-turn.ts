import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FirstStep } from './before-express.js';

/** Calls of one connection that are worked on at once. */
const MOST_AT_ONCE = 32;
/** And those that may wait for that, with what they bring; clients that send several at once send a few. */
const MOST_WAITING = 100;
const MOST_WAITING_BYTES = 128 * 1024;

/** The requests of a connection that are not over. */
interface Queue {
  readonly responses: ServerResponse[];
  /** How much the connection had brought when one had to wait. */
  bytesBefore: number;
  /** Whether an answer has ended the connection, which is read on for a moment. */
  hasEnded: boolean;
}

/**
 * Has a request that came before earlier ones of its connection were answered wait until all but some of those
 * answers are taken, behind which its own has to wait anyhow: so a connection costs what some requests do,
 * however many it brings and however little it reads. One that brings far too many is broken off. Behind an
 * answer that ends the connection none begins: its own could not be told, and would be paid for.
 */
export function inTurn(): FirstStep {
  const queues = new WeakMap<Socket, Queue>();
  return (request, response, next) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? { responses: [], bytesBefore: 0, hasEnded: false };
    const { responses } = queue;
    // Lists and pages are soon written, but may be long, and whoever reads none needs no key for them.
    const most = request.method === 'POST' ? MOST_AT_ONCE : 1;
    const before = responses[Math.max(responses.length - most, undecided(responses))];
    if (responses.length <= MOST_AT_ONCE) queue.bytesBefore = socket.bytesRead;
    const isBehindEnd = endsBefore(queue);
    responses.push(response);
    queues.set(socket, queue);
    response.once('close', () => {
      responses.splice(responses.indexOf(response), 1);
      queue.hasEnded ||= endsConnection(response);
    });
    const isTooMuch =
      responses.length > MOST_AT_ONCE + MOST_WAITING ||
      socket.bytesRead - queue.bytesBefore > MOST_WAITING_BYTES;
    if (isTooMuch) socket.destroy();
    // Bytes left unread at the end of the connection would have it reset, before that answer is read.
    else if (isBehindEnd) request.resume();
    else if (before === undefined) next();
    else {
      // They are over in their order; and whoever counts them has counted this one off by then.
      before.once('close', () => {
        queueMicrotask(() => {
          if (!socket.destroyed && !endsBefore(queue)) next();
        });
      });
    }
  };
}

/**
 * The last one whose caller waits to be told to send its body: an answer that
 * does without ends the connection.
 */
function undecided(responses: readonly ServerResponse[]): number {
  return responses.findLastIndex(({ req }) => req.headers.expect !== undefined);
}

function endsBefore({ responses, hasEnded }: Queue): boolean {
  return hasEnded || responses.some(endsConnection);
}

function endsConnection(response: ServerResponse): boolean {
  const isKept = !response.headersSent || response.shouldKeepAlive;
  return !isKept || response.getHeader('connection') === 'close';
}
