import { type Socket } from 'node:net';

/** Longer than the heads that undici reads. What comes before the end of one is not held any longer. */
const LONGEST_HEAD = 16 * 1024;
const END = '\r\n\r\n';
/** A 101 would change what is spoken on the connection, and nobody has asked for that. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const BEGINNING = 'HTTP/1.1 100 '.length;

/**
 * Takes the answers out of what a connection brings that stand before the final one (1xx) and say nothing
 * of it. A client has to bear any number of them that it did not ask for, but undici ends the connection
 * at a `100 Continue`: https://www.rfc-editor.org/rfc/rfc9110#section-15.2
 */
export function withoutInterim(socket: Socket): void {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let isAwaited = false;
  let held: Buffer = Buffer.alloc(0);

  // Undici writes the head of a request as text, and bodies as bytes.
  socket.write = ((...args: Parameters<typeof write>) => {
    if (typeof args[0] === 'string') isAwaited = true;
    return write(...args);
  }) as typeof write;
  socket.read = (size?: number): unknown => {
    const bytes = read(size) as Buffer | null;
    if (size !== undefined || !isAwaited || !bytes) return bytes;
    const rest = behindInterim(held.length === 0 ? bytes : Buffer.concat([held, bytes]));
    isAwaited = !rest.isFinal;
    held = rest.isFinal ? Buffer.alloc(0) : rest.bytes;
    return rest.isFinal ? rest.bytes : socket.read();
  };
}

/** What stands behind the interim answers; final once it is known to begin another one. */
function behindInterim(bytes: Buffer): { readonly bytes: Buffer; readonly isFinal: boolean } {
  for (let rest = bytes; ;) {
    const beginning = rest.toString('latin1', 0, BEGINNING);
    const isShort = beginning.length < BEGINNING && 'HTTP/1.'.startsWith(beginning.slice(0, 7));
    if (isShort) return { bytes: rest, isFinal: false };
    if (!INTERIM.test(beginning)) return { bytes: rest, isFinal: true };
    const end = rest.indexOf(END);
    if (end < 0) return { bytes: rest, isFinal: rest.length > LONGEST_HEAD };
    rest = rest.subarray(end + END.length);
  }
}
