import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerAt } from './support/admin.js';
import { temporaryDirectory } from './support/databases.js';
import { API_KEY } from './support/gateway.js';
import { useGatewayBefore } from './support/use-gateway.js';

const WAN = 'alibaba/wan2.2-t2i-flash';
const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
writeFileSync(
  MODELS_FILE,
  `models: { ${WAN}: { endpoints: [images], pricing: { output_cost_per_image: 0.025 } } }`,
);
const FLUX = 'replicate/black-forest-labs/flux-schnell';
const GEMINI = 'google/gemini-3-pro-image';
const ROUTED = 'openrouter/google/gemini-3-pro-image';

const gemini = (candidate: object) => ({ candidates: [candidate] });
const spoken = { parts: [{ text: 'Hello!' }] };
const task = (output: object) => ({ output: { task_id: 't', ...output } });
const prediction = (error: string) => ({ id: 'p', status: 'failed', error });

describe('the circuit of a model that draws', () => {
  const gateway = useGatewayBefore((url) => ({
    MODELS_FILE,
    GOOGLE_API_KEY: 'google-key',
    GOOGLE_BASE_URL: `${url}/v1beta`,
    OPENROUTER_API_KEY: 'openrouter-key',
    OPENROUTER_BASE_URL: `${url}/v1`,
    ALIBABA_API_KEY: 'alibaba-key',
    ALIBABA_BASE_URL: `${url}/compatible-mode/v1`,
    REPLICATE_API_KEY: 'replicate-key',
    REPLICATE_BASE_URL: `${url}/v1`,
    BREAKER: 'on',
  }));

  /** Twenty answers like this one: what callers are told, and how the circuit stands then. */
  async function twenty(model: string, answer: object) {
    gateway.upstream.replies(200, answer);
    const draw = () =>
      gateway.ask('POST /v3/images/generations', { model, prompt: 'Say hello' }, { key: API_KEY });
    const answers = await Promise.all(Array.from({ length: 20 }, draw));
    const [provider = ''] = model.split('/');
    const { circuit } = await providerAt(gateway, provider);
    return [[...new Set(answers.map(({ status }) => status))], circuit];
  }

  it.each([
    ['its caller had speak', GEMINI, gemini({ content: spoken, finishReason: 'STOP' }), 502],
    [
      'it saw no image in the prompt',
      'google/gemini-2.5-flash-image',
      gemini({ finishReason: 'NO_IMAGE' }),
      502,
    ],
    ['had too few tokens', GEMINI, gemini({ finishReason: 'MAX_TOKENS' }), 502],
    ['called a tool', GEMINI, gemini({ content: { parts: [{ functionCall: {} }] } }), 502],
    ['had too few tokens', ROUTED, { choices: [{ finish_reason: 'length', message: {} }] }, 502],
    ['its caller had speak', ROUTED, { choices: [{ message: { content: 'Hello!' } }] }, 502],
    [
      'it was given what it does not take',
      WAN,
      task({ task_status: 'FAILED', code: 'InvalidParameter', message: 'No such size.' }),
      400,
    ],
    ['it was given no image', FLUX, prediction('cannot identify image file <_io.BytesIO>'), 400],
    ['it was given too much', FLUX, prediction('Prediction input failed validation: {}'), 400],
  ])('stays closed where %s: %s', async (_, model, answer, status) => {
    expect(await twenty(model, answer)).toEqual([[status], 'closed']);
  });

  it.each([
    ['google/gemini-3.1-flash-image', gemini({ finishReason: 'OTHER' })],
    ['alibaba/qwen-image-2.0', task({ task_status: 'FAILED', code: 'InternalError.Algo' })],
    ['replicate/black-forest-labs/flux-dev', prediction('CUDA out of memory')],
  ])('opens where %s failed', async (model, answer) => {
    expect(await twenty(model, answer)).toEqual([[502], 'open']);
  });
});
