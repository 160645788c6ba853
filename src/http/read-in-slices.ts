import { type Server } from 'node:http';
import { type Socket } from 'node:net';

/** Of chunks of one byte, the dearest there are, it holds 170, which is a tenth of a millisecond. */
const SLICE_BYTES = 1024;
const SLICED_MS = 60_000;

const NOTHING: Buffer = Buffer.alloc(0);

/** Node's parser, as it listens to a connection. */
type Parse = (bytes: Buffer) => void;

/**
 * The connections of a server, whose bytes Node parses as they are read, 64 kB at once, and nobody can have it
 * stop in between. From `slice` on they are parsed in slices, and not while the connection is paused; that
 * costs a little, and every other connection waits less for it.
 */
export class SlicedConnections {
  private readonly whole = new Map<Socket, Parse>();
  private slicing: NodeJS.Timeout | undefined;

  constructor(server: Server) {
    // Behind Node's own listener, which has its parser listen.
    server.on('connection', (socket: Socket) => {
      const [parse] = socket.listeners('data') as Parse[];
      if (!parse) return;
      if (this.slicing) {
        readInSlices(socket, parse);
        return;
      }
      this.whole.set(socket, parse);
      socket.once('close', () => this.whole.delete(socket));
    });
  }

  /** Those that there are, and for a minute those that come. */
  slice(): void {
    this.slicing?.refresh();
    this.slicing ??= setTimeout(() => (this.slicing = undefined), SLICED_MS).unref();
    for (const [socket, parse] of this.whole) readInSlices(socket, parse);
    this.whole.clear();
  }
}

function readInSlices(socket: Socket, parse: Parse): void {
  let rest = NOTHING;
  const feed = (): void => {
    while (rest.length > 0 && !socket.isPaused()) {
      // What comes when no answer can be written any more is nothing to anybody.
      if (!socket.writable) {
        rest = NOTHING;
        return;
      }
      const slice = rest.subarray(0, SLICE_BYTES);
      rest = rest.subarray(SLICE_BYTES);
      parse(slice);
    }
  };
  // Node's own reading ends when somebody else listens to the bytes.
  socket.off('data', parse).on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    feed();
  });
  socket.on('resume', feed);
}
