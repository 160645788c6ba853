import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { GatewayError } from '../contract/gateway-error.js';
import { readEditForm } from './edit-form.js';
import { type RequestFiles } from './request-files.js';

const MOST_BYTES = 2 ** 20;
const NO_FILES = {} as RequestFiles;
const FIELD = '--x\r\ncontent-disposition: form-data; name="prompt"\r\n\r\n';

it.each([
  ['before its first part', ''],
  ['in a text', FIELD],
  ['in a part without a name', '--x\r\na: b\r\n\r\n'],
  ['behind its last part', `${FIELD}a\r\n--x--\r\n`],
])('reads no form whose bytes have no end %s', async (_, beginning) => {
  const outcome = Promise.withResolvers<unknown>();
  const server = createServer((request) => {
    readEditForm(request, NO_FILES, MOST_BYTES).then(outcome.resolve, outcome.resolve);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\n' +
      `content-length: ${2 ** 40}\r\n\r\n${beginning}`,
  );
  const piece = Buffer.alloc(2 ** 16, 'a');
  const send = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', send);
  send();
  const error = await outcome.promise;
  socket.destroy();
  server.close();
  expect(error).toBeInstanceOf(GatewayError);
  expect(error).toMatchObject({ status: 413, details: { close: true } });
});
