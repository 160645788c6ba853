/**
 * Loaded into a gateway by `--import`: answers on a port of its own for how many milliseconds its
 * event loop has been kept from everybody since it was asked last: `{max, p99}`.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const { LOOP_WATCH_PORT: port } = process.env;
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
createServer((_request, response) => {
  response.end(JSON.stringify({ max: delays.max / 1e6, p99: delays.percentile(99) / 1e6 }));
  delays.reset();
})
  .listen(Number(port), '127.0.0.1')
  .unref();
