import { it } from '@jest/globals';
import { metric } from './support/metric.js';
import { BEGINNING } from './support/provider-answers.js';
import { SURFACES } from './support/surfaces.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const MB = 1024 * 1024;
const BUFFERED = 'causeway_buffered_bytes';

const gateway = useGateway();
const { upstream, post } = gateway;

it.each(SURFACES)('an event without an end counts as memory in flight (%s)', async (path, body) => {
  upstream.answers((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`${BEGINNING}data: {"x":"${'x'.repeat(8 * MB)}`);
  });
  const asked = post(path, { ...body, model: 'anthropic/claude-sonnet-4-5', stream: true });
  const left = asked.then(
    () => undefined,
    () => undefined,
  );
  await until(async () => (await metric(gateway, BUFFERED)) > 8 * MB);
  asked.abort();
  await left;
  await until(async () => (await metric(gateway, BUFFERED)) < MB);
});
