import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { temporaryDirectory } from './support/databases.js';
import { API_KEY } from './support/gateway.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';

/** In a process of its own: in one with its caller it would read and write in turns with that. */
let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGatewayProcess({
    DATA_DIR: temporaryDirectory(),
    CAUSEWAY_API_KEY: API_KEY,
  });
});
afterAll(() => gateway.kill());

const FORM = 'Content-Type: multipart/form-data; boundary=x';
const PIECE = Buffer.alloc(2 ** 16, 'a');

/** What a caller reads who sends as fast as it is taken, and does not stop before an answer is whole. */
function answerTo(head: string, beginning: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let come = '';
  const send = (): void => {
    while (socket.writable && socket.write(PIECE));
  };
  socket.write(
    `POST /v3/images/edits HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${API_KEY}\r\n${head}\r\n` +
      `Content-Length: ${2 ** 40}\r\n\r\n${beginning}`,
  );
  socket.on('drain', send).on('data', (piece) => {
    come += piece.toString();
    if (come.endsWith('}')) socket.destroy();
  });
  send();
  return new Promise((resolve) => {
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(come);
      });
  });
}

it.each<[string, string, string, string]>([
  [
    'has a file that no edit has',
    FORM,
    '--x\r\ncontent-disposition: form-data; name="a"; filename="a.png"\r\n\r\n',
    'Unknown parameter',
  ],
  [
    'has a part whose head never ends',
    FORM,
    '--x\r\ncontent-disposition: ',
    'not a whole multipart',
  ],
  ['is compressed', `${FORM}\r\nContent-Encoding: gzip`, '', 'content encoding'],
  ['is no form', 'Content-Type: text/plain', '', 'as application/json or as multipart'],
])('a form that %s is told so, however fast the rest of it comes', async (_, head, begin, said) => {
  for (let time = 0; time < 20; time++) {
    const answer = await answerTo(head, begin);
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(answer).toContain(said);
  }
});
