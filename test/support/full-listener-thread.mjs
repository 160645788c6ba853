// The thread of `full-listener.ts`: a server that takes no connections until it is woken.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const seen = { connections: 0, requests: 0, left: 0 };
const tell = (what) => {
  seen[what] += 1;
  parentPort?.postMessage({ ...seen });
};

const server = createServer((request, response) => {
  tell('requests');
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
server.on('connection', (socket) => {
  tell('connections');
  socket.once('close', () => tell('left'));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort?.postMessage(server.address().port);
  Atomics.wait(workerData, 0, 0);
});
