import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { type EmbeddingsFormat, type Reply } from './embeddings-upstream.js';
import { useGatewayBefore } from './use-gateway.js';

const PROVIDERS =
  'openai azure-openai google vertex cohere mistral voyage jina bedrock together fireworks ' +
  'deepinfra openrouter alibaba nebius sambanova perplexity huggingface ollama vllm';

const MODELS = (url: string) => `
providers:
  mine: { format: openai, base_url: '${url}/mine/v1' }
models:
  huggingface/sentence-transformers/all-MiniLM-L6-v2: &own
    endpoints: [embeddings]
    pricing: { input_cost_per_token: 0.000001 }
  ollama/nomic-embed-text: *own
  vllm/bge-m3: *own
  mine/local-model: *own
  mine/nested:
    endpoints: [embeddings]
    pricing: { input_cost_per_token: 0.000001 }
    capabilities: { supports_dimensions: true, dimensions_by_truncation: true }
`;

/** A gateway of all providers that embed, which are one upstream that speaks as told. */
export function useGatewayOfAll() {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-embeddings-'));
  const gateway = useGatewayBefore((url) => {
    const file = join(folder, 'models.yaml');
    writeFileSync(file, MODELS(url));
    const settings = PROVIDERS.split(' ').flatMap((name) => {
      const prefix = name.toUpperCase().replace('-', '_');
      const path = name === 'huggingface' ? '/huggingface/v1' : `/${name}`;
      return [
        [`${prefix}_API_KEY`, `key-of-${name}`],
        [`${prefix}_BASE_URL`, `${url}${path}`],
      ];
    });
    return { ...Object.fromEntries(settings), MODELS_FILE: file };
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const { upstream } = gateway;
  return {
    upstream,
    /** From now on the upstream answers like this. */
    speaks(format: (request: Parameters<EmbeddingsFormat>[0]) => Reply | Promise<Reply>): void {
      upstream.answers(async (response, request) => {
        const { status, body, headers } = await format(request);
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    },
    post: (body: object, status = 200) => gateway.post('/v3/embeddings', body).expect(status),
    get: (path: string) => supertest(gateway.url).get(path).expect(200),
    get url(): string {
      return gateway.url;
    },
  };
}
