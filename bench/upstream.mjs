import { createServer } from 'node:http';
import { SCENARIOS } from './scenarios.mjs';

/** Milliseconds between two events of a stream. */
const EVENT_EVERY_MS = 40;

const replies = new Map(
  SCENARIOS.map(({ name, reply, events }) => [
    name,
    events ? { events } : { body: Buffer.from(JSON.stringify(reply)) },
  ]),
);
let current = { delayMs: 0 };

// The run says what comes next, since a gateway lets nothing through that could say it here.
process.on('message', ({ scenario, delayMs }) => {
  current = { ...replies.get(scenario), delayMs };
  process.send('set');
});
process.on('disconnect', () => process.exit());

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const { delayMs } = current;
    if (delayMs === 0) answer(response, current);
    else setTimeout(answer, delayMs, response, current);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

function answer(response, { body, events }) {
  if (events) stream(response, events);
  else {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  }
}

function stream(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let next = 0;
  const write = () => {
    response.write(events[next++]);
    if (next < events.length) return;
    clearInterval(timer);
    response.end();
  };
  const timer = setInterval(write, EVENT_EVERY_MS);
  write();
}
