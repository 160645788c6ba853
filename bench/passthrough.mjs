/**
 * The least that a gateway on Node can do, as the measure: check the key, read the model's name, and
 * hand raw bytes over in both directions. It keeps no account and writes no log.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const [upstream, key] = process.argv.slice(2);
const pool = new Pool(upstream);
process.on('disconnect', () => process.exit());

const server = createServer((request, response) => {
  if (request.headers.authorization !== `Bearer ${key}`) {
    response.writeHead(401).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    if (typeof JSON.parse(body).model !== 'string') response.writeHead(400).end();
    else forward(request, response, body);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

function forward({ url, headers }, response, body) {
  let exchange;
  response.on('drain', () => exchange.resume());
  response.on('close', () => {
    if (!response.writableFinished) exchange.abort(new Error('the caller hung up'));
  });
  pool.dispatch(
    { method: 'POST', path: url, headers: { 'content-type': headers['content-type'] }, body },
    {
      onRequestStart(controller) {
        exchange = controller;
      },
      onResponseStart(_controller, status, answered) {
        const { 'content-type': type, 'content-length': length } = answered;
        response.writeHead(status, {
          'content-type': type,
          ...(length && { 'content-length': length }),
        });
      },
      onResponseData(controller, chunk) {
        if (!response.write(chunk)) controller.pause();
      },
      onResponseEnd() {
        response.end();
      },
      onResponseError() {
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end();
      },
    },
  );
}
