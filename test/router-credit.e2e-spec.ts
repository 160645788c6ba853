import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unitsOfUsd } from '../src/contract/money.js';
import { fundedAccount } from './support/credit.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import { file, poster } from './support/laboratory.js';

const HEARS = 'lab/hears';
/** A tenth of a cent for a thousand tokens of text, ten cents where they are sound. */
const MODELS = `
providers:
  lab: { format: openai, base_url: 'http://127.0.0.1:9/v1' }
models:
  ${HEARS}:
    endpoints: [messages]
    max_output_tokens: 10
    capabilities: { input_modalities: [text, audio] }
    pricing:
      input_cost_per_token: 0.000001
      output_cost_per_token: 0.000001
      input_cost_per_audio_token: 0.0001
`;

describe('@router, for an account whose credit covers texts alone', () => {
  let gateway: RunningGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway({ MODELS_FILE: file('hears.yaml', MODELS) });
    ({ key } = await fundedAccount(gateway, unitsOfUsd(0.01)));
  });
  afterAll(() => gateway.close());

  it.each(['/v3/route', '/v3/chat/completions'])(
    'leaves out a model for what its sound may cost on %s',
    async (path) => {
      const sound = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
      const messages = [{ role: 'user', content: [sound] }];
      const reply = await poster(() => gateway, key)(path, { model: '@router', messages });
      expect(reply.status).toBe(400);
      expect(reply.json.error).toMatchObject({
        code: 'router_no_candidate',
        message: expect.stringContaining(`credit: ${HEARS}`),
      });
    },
  );

  it('has it for a text', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const { json } = await poster(() => gateway, key)('/v3/route', { messages });
    expect(json.model).toBe(HEARS);
  });
});
