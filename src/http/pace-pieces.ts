import { IncomingMessage, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { type FirstStep } from './before-express.js';
import { SlicedConnections } from './read-in-slices.js';

/** So many pieces of a body are looked at together. */
const LOOK = 64;
/** Where they are shorter on average they cost more than their bytes do; clients cut pieces of kilobytes. */
const SHORT_BYTES = 512;
/** What may come of short ones in a millisecond, of all callers: they take an eighth of the time. */
const PIECES_A_MS = 250;

/**
 * Has bodies that come in many short pieces, as HTTP chunks of a few bytes are, wait for each other. Node
 * calls for each of them, so that 64 kB of one byte each keep all others waiting for several milliseconds,
 * and that is but one read of one connection. To be called before anything of the body has come.
 */
export function pacePieces(server: Server): FirstStep {
  const line = new Line(new SlicedConnections(server));
  return (request, _, next) => {
    const { socket, headers } = request;
    // A body of a known length comes in as it is read.
    if (headers['transfer-encoding'] === undefined) {
      next();
      return;
    }
    let pieces = 0;
    let bytes = 0;
    // Where Node hands over each piece, whether somebody reads them, will read them, or throws them away.
    request.push = (piece: Buffer | null, encoding?: BufferEncoding): boolean => {
      pieces += 1;
      bytes += piece?.length ?? 0;
      if (pieces === LOOK) {
        if (bytes < LOOK * SHORT_BYTES) line.wait(socket, pieces);
        pieces = 0;
        bytes = 0;
      }
      return IncomingMessage.prototype.push.call(request, piece, encoding);
    };
    next();
  };
}

/** The connections that bring short pieces; one of them at a time is read from. */
class Line {
  private readonly waiting = new Set<Socket>();
  private turn: NodeJS.Timeout | undefined;
  /** Pieces that have come since the last look, for which the line has not waited yet. */
  private owed = 0;

  constructor(private readonly connections: SlicedConnections) {}

  /** @param pieces What the connection has just brought. Of the very first, the rest of the read comes, too. */
  wait(socket: Socket, pieces: number): void {
    this.owed += pieces;
    this.connections.slice();
    if (this.waiting.has(socket)) return;
    this.waiting.add(socket);
    socket.pause();
    // Node resumes it whenever it wants more of the request.
    socket.resume = () => socket;
    this.turn ??= setTimeout(this.next, 1).unref();
  }

  private readonly next = (): void => {
    const owedMs = this.owed / PIECES_A_MS;
    this.owed = 0;
    const [first] = this.waiting;
    this.turn = undefined;
    if (!first) return;
    this.turn = setTimeout(this.next, Math.max(owedMs, 1)).unref();
    if (owedMs > 1) return;
    this.waiting.delete(first);
    Reflect.deleteProperty(first, 'resume');
    if (!first.destroyed) first.resume();
  };
}
