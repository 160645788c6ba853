import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../config/read-config.js';
import { buildCatalogue } from '../../models/catalogue.js';
import { ownProvider } from '../own-provider.js';
import { PROVIDERS } from '../providers.js';

const FILE = `
models:
  ollama/llama3.2:
    endpoints: [messages]
    context_length: 131072
    pricing: { input_cost_per_token: 0, output_cost_per_token: 0.000001 }
`;
const catalogueOf = (environment: Record<string, string>) =>
  buildCatalogue(
    { providers: PROVIDERS, ownProvider },
    readConfig(environment),
    FILE,
    new Date('2026-11-20'),
  ).catalogue;

describe('ollama', () => {
  it('is on with an address alone, and serves the models that the operator names', () => {
    const catalogue = catalogueOf({ OLLAMA_BASE_URL: 'http://localhost:11434' });
    expect(catalogue.find('ollama/llama3.2')).toMatchObject({
      name: 'llama3.2',
      endpoints: ['messages'],
      contextLength: 131072,
      pricing: { inputPerToken: 0n, outputPerToken: 1_000_000n },
    });
    expect(catalogue.connection('ollama')?.baseUrl.href).toBe('http://localhost:11434/');
  });

  it('is off without one', () => {
    const catalogue = catalogueOf({});
    expect(catalogue.connection('ollama')).toBeUndefined();
    expect(catalogue.find('ollama/llama3.2')).toBeUndefined();
  });
});
