import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDirectory } from './support/databases.js';
import { leaveImages } from './support/images.js';
import { requestRow } from './support/request-rows.js';
import { until } from './support/until.js';
import { useGatewayBefore } from './support/use-gateway.js';

const WAN = 'alibaba/wan2.2-t2i-flash';
const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
writeFileSync(
  MODELS_FILE,
  `models: { ${WAN}: { endpoints: [images], pricing: { output_cost_per_image: 0.025 } } }`,
);

/** Longer than it takes to notice that a caller has gone. */
const NOTICED_MS = 600;

describe('who leaves before a provider has said that it makes the image later', () => {
  const gateway = useGatewayBefore((url) => ({
    MODELS_FILE,
    BFL_API_KEY: 'bfl-key',
    BFL_BASE_URL: `${url}/v1`,
    FIREWORKS_API_KEY: 'fireworks-key',
    FIREWORKS_BASE_URL: `${url}/inference/v1`,
    ALIBABA_API_KEY: 'alibaba-key',
    ALIBABA_BASE_URL: `${url}/compatible-mode/v1`,
    FAL_API_KEY: 'fal-key',
    FAL_BASE_URL: url,
    REPLICATE_API_KEY: 'replicate-key',
    REPLICATE_BASE_URL: `${url}/v1`,
  }));
  const { upstream } = gateway;

  /** The record of a request whose caller has left before its first answer, which is this one. */
  async function left(model: string, task: object) {
    upstream.received.length = 0;
    const answering = Promise.withResolvers<undefined>();
    upstream.answers(async (response) => {
      await answering.promise;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(task));
    });
    const id = `left-${model.replaceAll(/\W/g, '-')}`;
    await leaveImages(gateway, id, { model, prompt: 'x' }, () => upstream.received.length === 1);
    await delay(NOTICED_MS);
    answering.resolve(undefined);
    return requestRow(gateway, id);
  }

  it.each([
    [
      'bfl/flux-2-pro',
      () => ({ id: '1', polling_url: `${upstream.url}/v1/result`, cost: 5 }),
      0.05,
    ],
    ['fireworks/accounts/fireworks/models/flux-kontext-pro', () => ({ request_id: '1' }), 0.04],
    [WAN, () => ({ output: { task_id: '1', task_status: 'PENDING' } }), 0.025],
  ])('pays for it where it cannot be stopped (%s)', async (model, task, cost) => {
    const row = await left(model, task());
    expect(row).toMatchObject({ outcome: 'client_closed', status: 499, images: 1 });
    expect(row.cost_units).toBe(BigInt(cost * 1e12));
    expect(upstream.received).toHaveLength(1);
  });

  it.each([
    ['fal/fal-ai/flux/schnell', 'PUT'],
    ['replicate/black-forest-labs/flux-schnell', 'POST'],
  ])('has it stopped (%s)', async (model, method) => {
    const cancel = `${upstream.url}/cancel`;
    const get = `${upstream.url}/result`;
    const queued = { status: 'IN_QUEUE', status_url: get, response_url: get, cancel_url: cancel };
    const prediction = { id: '1', status: 'starting', urls: { get, cancel } };
    const row = await left(model, model.startsWith('fal') ? queued : prediction);
    expect(row).toMatchObject({ outcome: 'client_closed', status: 499 });
    await until(() => upstream.received.length === 2);
    expect(upstream.last).toMatchObject({ method, path: '/cancel' });
  });
});
