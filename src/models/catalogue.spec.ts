import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, readConfig } from '../config/read-config.js';
import { unitsOfUsd } from '../contract/money.js';
import { ownProvider } from '../providers/own-provider.js';
import { type Provider } from '../providers/provider.js';
import { PROVIDERS } from '../providers/providers.js';
import { buildCatalogue } from './catalogue.js';
import { type Administered, type ModelOverride, UNTOUCHED } from './model-override.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const ALL_ON = { OPENAI_API_KEY: 'sk-openai', ANTHROPIC_API_KEY: 'sk-anthropic' };

interface Build {
  readonly administered?: Partial<Administered>;
  readonly env?: Record<string, string>;
  readonly file?: string;
  readonly providers?: readonly Provider[];
}

function build({ env = ALL_ON, file, providers = PROVIDERS, administered }: Build = {}) {
  return buildCatalogue({ providers, ownProvider }, readConfig(env), file, NOW, {
    ...UNTOUCHED,
    ...administered,
  });
}

const catalogue = (options?: Build) => build(options).catalogue;
const ids = (options?: Build) => catalogue(options).models.map(({ id }) => id);

function problemsOf(options: Build): readonly string[] {
  try {
    build(options);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const spec = (name: string): Provider['models'][number] => ({
  name,
  endpoints: ['messages'],
  created: 0,
  capabilities: {},
});

/** A self-hosted provider: it has no address until it is given one. */
const selfHosted: Provider = {
  ...PROVIDERS[0]!,
  name: 'ollama',
  auth: { type: 'bearer' },
  baseUrl: undefined,
  models: [],
};

describe('the built-in catalogue', () => {
  const { models, find } = catalogue();

  it('lists what clients can rely on', () => {
    expect(ids()).toEqual(
      expect.arrayContaining([
        'openai/gpt-4o',
        'openai/gpt-4o-mini',
        'openai/gpt-image-1',
        'openai/gpt-image-1-mini',
        'openai/dall-e-3',
        'openai/text-embedding-3-small',
        'openai/text-embedding-3-large',
        'anthropic/claude-sonnet-4-5',
        'anthropic/claude-haiku-4-5',
        'sandbox/echo',
        'sandbox/image',
        'sandbox/embedding',
      ]),
    );
  });

  it('has well-formed rows, each once', () => {
    expect(new Set(ids()).size).toBe(models.length);
    for (const model of models) {
      expect(model.id).toBe(`${model.provider}/${model.name}`);
      expect(model.id).toMatch(/^[a-z0-9-]+\/[\w.:-]+$/);
      expect(model.endpoints.length).toBeGreaterThan(0);
      expect(model.created).toBeGreaterThan(Date.parse('2020-01-01') / 1_000);
      expect(model.created).toBeLessThan(NOW.getTime() / 1_000 + 86_400);
      expect(Number.isInteger(model.created)).toBe(true);
      expect(model.capabilities.input_modalities?.length).toBeGreaterThan(0);
      expect(model.capabilities.output_modalities?.length).toBeGreaterThan(0);
      if (model.aliasOf !== undefined) expect(find(model.aliasOf)).toBeDefined();
      if (!model.endpoints.includes('messages')) continue;
      expect(model.contextLength).toBeGreaterThanOrEqual(8_192);
      expect(model.maxOutputTokens).toBeGreaterThanOrEqual(4_096);
      expect(model.maxOutputTokens).toBeLessThanOrEqual(model.contextLength!);
    }
  });

  it('charges for everything that a model can do', () => {
    for (const { id, endpoints, pricing } of models) {
      const costs = (...prices: (bigint | undefined)[]) => {
        expect([id, prices.some((price) => price !== undefined && price > 0n)]).toEqual([id, true]);
      };
      if (endpoints.includes('messages')) {
        costs(pricing.inputPerToken);
        costs(pricing.outputPerToken);
      }
      if (endpoints.includes('embeddings')) costs(pricing.inputPerToken);
      if (endpoints.includes('images')) {
        const perImage = pricing.perImage ?? [];
        const each = typeof perImage === 'bigint' ? [perImage] : Object.values(perImage);
        costs(...each, pricing.outputPerImageToken, pricing.outputPerToken);
        for (const price of each) costs(price);
      }
      for (const tier of pricing.tiers ?? []) {
        expect(tier.inputPerToken).toBeGreaterThan(pricing.inputPerToken!);
      }
    }
  });

  it('gives every Claude both lengths of cache writes, and an alias the price of its model', () => {
    for (const model of models.filter(({ provider }) => provider === 'anthropic')) {
      const { inputPerToken, cacheWrite1hPerToken, cacheReadPerToken } = model.pricing;
      expect([model.id, cacheWrite1hPerToken]).toEqual([model.id, inputPerToken! * 2n]);
      expect(cacheReadPerToken).toBeLessThan(inputPerToken!);
    }
    for (const { aliasOf, pricing } of models) {
      if (aliasOf !== undefined) expect(find(aliasOf)?.pricing).toEqual(pricing);
    }
  });

  it('serves retired models when they are named, without listing them', () => {
    expect(ids()).not.toContain('openai/gpt-3.5-turbo');
    expect(find('openai/gpt-3.5-turbo')).toMatchObject({
      listed: false,
      pricing: { inputPerToken: 500_000n },
    });
    expect(find('anthropic/claude-3-5-haiku-20241022')).toBeDefined();
  });

  it('refuses a model without a price, and names it', () => {
    const unpriced = { ...PROVIDERS[0]!, models: [spec('claude-99'), spec('claude-sonnet-5')] };
    expect(problemsOf({ providers: [unpriced] })).toEqual([
      'anthropic/claude-99 has no price: input_cost_per_token, output_cost_per_token',
    ]);
  });

  it('leaves out endpoints, and models, that the provider has no code for', () => {
    const openai = PROVIDERS.find(({ name }) => name === 'openai')!;
    const chatOnly = { ...openai, endpoints: { messages: openai.endpoints.messages! } };
    const { models: left } = catalogue({ providers: [chatOnly] });
    expect(left.length).toBeGreaterThan(10);
    expect(left.every(({ endpoints }) => endpoints.join() === 'messages')).toBe(true);
  });
});

describe('which providers are on', () => {
  it('is decided by their keys; the sandbox needs none', () => {
    expect([...new Set(ids({ env: {} }).map((id) => id.split('/')[0]))]).toEqual(['sandbox']);
    const { find, connection } = catalogue({ env: { OPENAI_API_KEY: 'sk-1' } });
    expect(find('openai/gpt-4o')).toBeDefined();
    expect(find('anthropic/claude-sonnet-4-5')).toBeUndefined();
    expect(connection('anthropic')).toBeUndefined();
    expect(connection('openai')).toMatchObject({
      apiKey: 'sk-1',
      baseUrl: new URL('https://api.openai.com/v1'),
      provider: { name: 'openai' },
    });
  });

  it('takes the address from the environment', () => {
    const env = { ...ALL_ON, OPENAI_BASE_URL: 'http://127.0.0.1:9900/p/openai' };
    expect(catalogue({ env }).connection('openai')?.baseUrl.href).toBe(env.OPENAI_BASE_URL);
    expect(catalogue({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:1' } }).connection('openai')).toBe(
      undefined,
    );
  });

  it('can take the sandbox away', () => {
    const { connection, find } = catalogue({ env: { ...ALL_ON, SANDBOX: 'off' } });
    expect([connection('sandbox'), find('sandbox/echo'), find('sandbox/stall')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('asks a self-hosted provider for an address instead of a key', () => {
    const providers = [selfHosted];
    expect(catalogue({ providers, env: {} }).connection('ollama')).toBeUndefined();
    const env = { OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1' };
    expect(catalogue({ providers, env }).connection('ollama')).toMatchObject({
      baseUrl: new URL(env.OLLAMA_BASE_URL),
      apiKey: undefined,
    });
  });

  it('stops the start at every wrong address and key, by the name of the variable', () => {
    const problems = problemsOf({
      env: {
        OPENAI_API_KEY: 'sk two',
        OPENAI_BASE_URL: 'http://169.254.169.254/v1',
        ANTHROPIC_BASE_URL: 'http://api.anthropic.com',
        NOBODY_API_KEY: 'unknown names are no error',
      },
    });
    expect(problems).toEqual([
      expect.stringMatching(/^ANTHROPIC_BASE_URL must be https/),
      expect.stringMatching(/^OPENAI_API_KEY must be visible ASCII/),
      expect.stringMatching(/^OPENAI_BASE_URL must not be a link-local or metadata address/),
    ]);
    const env = { ANTHROPIC_BASE_URL: 'http://example.com', ALLOW_INSECURE_UPSTREAM: '1' };
    expect(problemsOf({ env })).toEqual([]);
  });
});

describe('the fault drills', () => {
  const { find, models } = catalogue();

  it.each(['error-400', 'error-529', 'slow-0', 'slow-1500', 'stall', 'cut-stream'])(
    'include sandbox/%s, served and priced like the listed ones but not listed',
    (name) => {
      expect(find(`sandbox/${name}`)).toMatchObject({
        id: `sandbox/${name}`,
        name,
        endpoints: ['images', 'image-edits', 'embeddings', 'messages'],
        listed: false,
        pricing: {
          ...{ inputPerToken: 1_000_000n, outputPerToken: 2_000_000n },
          perImage: 10_000_000_000n,
        },
      });
      expect(models.map(({ id }) => id)).not.toContain(`sandbox/${name}`);
    },
  );

  it.each(['error-200', 'error-600', 'error-', 'error-4000', 'slow-', 'slow-x', 'slow-12345678'])(
    'do not include sandbox/%s',
    (name) => {
      expect(find(`sandbox/${name}`)).toBeUndefined();
    },
  );
});

describe('the models file', () => {
  const own = `
providers:
  my-vllm: { format: openai, base_url: "http://10.0.0.5:8000/v1", api_key_env: MY_VLLM_KEY }
  keyless: { format: anthropic, base_url: "https://models.example.com" }
models:
  my-vllm/qwen/qwen3-32b:
    endpoints: [messages]
    context_length: 131072
    pricing: { input_cost_per_token: 2e-7, output_cost_per_token: 6e-7 }
  keyless/claude:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0, output_cost_per_token: 0 }
`;

  it('adds providers and models of the operator', () => {
    const env = { MY_VLLM_KEY: 'sk-mine' };
    const { find, connection, models } = catalogue({ env, file: own });
    expect(find('my-vllm/qwen/qwen3-32b')).toEqual({
      id: 'my-vllm/qwen/qwen3-32b',
      provider: 'my-vllm',
      name: 'qwen/qwen3-32b',
      endpoints: ['messages'],
      created: 0,
      contextLength: 131_072,
      capabilities: { input_modalities: ['text'], output_modalities: ['text'] },
      pricing: { inputPerToken: 200_000n, outputPerToken: 600_000n },
      told: {},
      listed: true,
    });
    expect(connection('my-vllm')).toMatchObject({
      provider: { name: 'my-vllm', auth: { type: 'bearer' } },
      baseUrl: new URL('http://10.0.0.5:8000/v1'),
      apiKey: 'sk-mine',
    });
    expect(connection('keyless')?.apiKey).toBeUndefined();
    expect(models.slice(-2).map(({ id }) => id)).toEqual([
      'my-vllm/qwen/qwen3-32b',
      'keyless/claude',
    ]);
  });

  it('lays what it gives over a built-in row, and keeps the rest and the place', () => {
    const file = `
models:
  openai/gpt-4o:
    max_output_tokens: 1000
    regions: [eu]
    capabilities: { supports_web_search: true }
    pricing: { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }
`;
    const before = catalogue().find('openai/gpt-4o')!;
    expect(catalogue({ file }).find('openai/gpt-4o')).toEqual({
      ...before,
      maxOutputTokens: 1_000,
      regions: [{ code: 'eu', name: 'Europe' }],
      capabilities: { ...before.capabilities, supports_web_search: true },
      // A price list is one thing: the built-in price of cached tokens does not stay behind.
      pricing: { inputPerToken: 1_000_000n, outputPerToken: 2_000_000n },
    });
    expect(ids({ file })).toEqual(ids());
  });

  it('switches models off, and lists a retired one again', () => {
    const file =
      'models: { openai/gpt-4o: { enabled: false }, openai/gpt-3.5-turbo: { enabled: true }, ' +
      'sandbox/echo: { enabled: false }, openai/never-was: { enabled: false } }';
    const { find, disabled } = catalogue({ file });
    expect(find('openai/gpt-4o')).toBeUndefined();
    expect(disabled.map(({ id }) => id).sort()).toEqual(['openai/gpt-4o', 'sandbox/echo']);
    expect(find('sandbox/error-500')).toBeUndefined();
    expect(ids({ file })).toContain('openai/gpt-3.5-turbo');
  });

  it('knows a model of the operator’s own that is switched off', () => {
    const file =
      'models: { openai/mine: { enabled: false, endpoints: [messages], ' +
      'pricing: { input_cost_per_token: 0, output_cost_per_token: 0 } } }';
    const { find, disabled } = catalogue({ file });
    expect([find('openai/mine'), disabled.map(({ id }) => id)]).toEqual([
      undefined,
      ['openai/mine'],
    ]);
  });

  it.each([
    ['the undated name', { 'openai/gpt-4o': '[eu]' }, ['eu', 'eu']],
    ['the dated name', { 'openai/gpt-4o-2024-08-06': '[eu]' }, ['eu', 'eu']],
    ['both', { 'openai/gpt-4o': '[eu]', 'openai/gpt-4o-2024-08-06': '[us]' }, ['eu', 'us']],
    ['one that is open', { 'openai/gpt-4o': '[eu]', 'openai/gpt-4o-2024-08-06': '[]' }, ['eu']],
  ])('gives the regions of one model to both of its names: %s', (_, given, regions) => {
    const rows = Object.entries(given).map(([id, codes]) => `  ${id}: { regions: ${codes} }`);
    const { find } = catalogue({ file: `models:\n${rows.join('\n')}` });
    expect(find('openai/gpt-4o')?.aliasOf).toBe('openai/gpt-4o-2024-08-06');
    const codes = ['openai/gpt-4o', 'openai/gpt-4o-2024-08-06'].flatMap((id) =>
      find(id)?.regions?.map(({ code }) => code),
    );
    expect(codes).toEqual(regions);
    expect(find('openai/gpt-4o-2024-05-13')?.regions).toBeUndefined();
  });

  it('changes a model whose provider is off without turning it on', () => {
    const file = 'models: { openai/gpt-4o: { regions: [eu] } }';
    expect(problemsOf({ env: {}, file })).toEqual([]);
    expect(catalogue({ env: {}, file }).find('openai/gpt-4o')).toBeUndefined();
  });

  it('wants endpoints and prices of a new model, for all that it can do', () => {
    const file = `
models:
  openai/a: {}
  openai/b: { endpoints: [messages], pricing: { input_cost_per_token: 0 } }
  openai/c: { endpoints: [embeddings], pricing: { output_cost_per_token: 1e-6 } }
  openai/d: { endpoints: [images, image-edits], pricing: { input_cost_per_token: 1e-6 } }
  openai/e: { endpoints: [images], pricing: { output_cost_per_image: 0 } }
  openai/gpt-4o: { endpoints: [messages, images], pricing: { cost_per_request: 1 } }
`;
    expect(problemsOf({ file })).toEqual([
      expect.stringMatching(/line 3: models\.openai\/a needs endpoints$/),
      expect.stringMatching(/line 3: models\.openai\/a needs pricing$/),
      expect.stringMatching(
        /openai\/b needs pricing of output_cost_per_token \(0 if it is free\)$/,
      ),
      expect.stringMatching(/openai\/c needs pricing of input_cost_per_token/),
      expect.stringMatching(/openai\/d needs pricing of output_cost_per_image/),
      expect.stringMatching(/openai\/gpt-4o needs pricing of input_cost_per_token, output_cost_/),
    ]);
  });

  it('keeps the endpoints that the provider can serve, and wants at least one', () => {
    const pricing = 'pricing: { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 }';
    const some = `models: { anthropic/x: { endpoints: [embeddings, messages], ${pricing} } }`;
    expect(catalogue({ file: some }).find('anthropic/x')?.endpoints).toEqual(['messages']);
    const none = `models: { anthropic/x: { endpoints: [embeddings], ${pricing} } }`;
    expect(build({ file: none }).warnings).toEqual([
      expect.stringMatching(/cannot ask their providers for: anthropic \(1\)$/),
    ]);
    const own = 'providers: { mine: { format: anthropic, base_url: "https://a.example" } }';
    expect(problemsOf({ file: `${own}\n${none.replace('anthropic/x', 'mine/x')}` })).toEqual([
      expect.stringMatching(/mine\/x cannot be served: mine has none of embeddings$/),
    ]);
  });

  it('takes a time to hedge only for what is asked a second time', () => {
    const withHedge = (id: string) =>
      problemsOf({ file: `models: { ${id}: { hedge_after_ms: 800 } }` });
    const refused = [expect.stringMatching(/takes no hedge_after_ms: images and the sandbox/)];
    expect(withHedge('openai/gpt-image-1')).toEqual(refused);
    expect(withHedge('sandbox/echo')).toEqual(refused);
    expect(build({ file: 'models: { openai/gpt-4o: { hedge_after_ms: 800 } }' }).warnings).toEqual(
      [],
    );
  });

  it('warns of a name that is switched off and stands for nothing', () => {
    const file = `models:
      openai/gpt-4oo: { enabled: false }
      openai/gpt-4o: { enabled: false }
      openai/not-yet: { enabled: false, endpoints: [images], pricing: { output_cost_per_image: 1 } }`;
    expect(build({ file }).warnings).toEqual([
      'MODELS_FILE: switches off what the catalogue does not have: openai/gpt-4oo',
    ]);
  });

  it('warns of prices that take the place of a list price which says more', () => {
    const price = (more: string) =>
      `models: { openai/gpt-4o: { pricing: { input_cost_per_token: 1, output_cost_per_token: 1${more} } } }`;
    expect(build({ file: price('') }).warnings).toEqual([
      expect.stringMatching(
        /leave out some of the list price: openai\/gpt-4o \(cache_read_input_token_cost, cost_per_web_search, cost_per_file_search, cost_per_container_gigabyte, service_tiers\)$/,
      ),
    ]);
    const others = ['web_search', 'file_search', 'container_gigabyte'];
    const free = others.map((one) => `, cost_per_${one}: 0`).join('');
    const whole = price(`, cache_read_input_token_cost: 0, service_tiers: {}${free}`);
    expect(build({ file: whole }).warnings).toEqual([]);
  });

  it('warns of what a provider cannot be asked for, and refuses those that nobody knows', () => {
    const images = '{ endpoints: [images] }';
    const rows = `voyage/a: ${images}, voyage/b: ${images}, jina/c: ${images}`;
    expect(build({ file: `models: { ${rows} }` }).warnings).toEqual([
      expect.stringMatching(/cannot ask .* for: voyage \(2\), jina \(1\)$/),
    ]);
    expect(problemsOf({ file: 'models: { opneai/gpt-4o: { enabled: false } }' })).toEqual([
      expect.stringMatching(/line 1: .*names the provider "opneai", which is neither/),
    ]);
  });

  it('reports the problems of the settings and of the file together', () => {
    const env = { OPENAI_BASE_URL: 'nowhere' };
    expect(problemsOf({ env, file: own })).toEqual([
      expect.stringMatching(/^OPENAI_BASE_URL/),
      expect.stringMatching(/MY_VLLM_KEY, which is not set/),
    ]);
  });
});

const replay = resolve('../shared/tools/replay/check.mjs');
const corpus = resolve('../shared/fixtures/recorded');
const recorded = existsSync(replay) && existsSync(corpus) ? describe : describe.skip;

// Skipped where the recordings are not at hand.
recorded('the models files of the replay check', () => {
  it.each([['of all providers'], ['of two', '--providers', 'anthropic,openai']])(
    '%s load',
    (_, ...filter) => {
      const folder = mkdtempSync(join(tmpdir(), 'models-'));
      const path = join(folder, 'models.yaml');
      execFileSync(process.execPath, [replay, '--write-models', path, ...filter], {
        env: { CORPUS: corpus },
      });
      const file = readFileSync(path, 'utf8');
      rmSync(folder, { recursive: true });
      const secrets = [...file.matchAll(/api_key_env: (\w+)/g)].map((match) => [match[1]!, 'key']);
      const env = { ...ALL_ON, ...(Object.fromEntries(secrets) as Record<string, string>) };
      const model = catalogue({ env, file }).find('openai/gpt-4o');
      expect(model).toMatchObject({
        contextLength: 1_000_000,
        pricing: { inputPerToken: unitsOfUsd(0.000001) },
      });
      expect(catalogue({ env, file }).find('anthropic/bad model')).toBeDefined();
    },
  );
});

describe('what administrators changed', () => {
  const changed = (id: string, override: ModelOverride, file?: string) =>
    catalogue({ administered: { overrides: new Map([[id, override]]) }, ...(file && { file }) });

  it('stands in front of the models file, also where that has the model off', () => {
    const file = 'models: { openai/gpt-4o: { enabled: false }, sandbox/echo: { regions: [eu] } }';
    const pricing = { inputPerToken: 1n, outputPerToken: 2n };
    const { find } = changed('openai/gpt-4o', { enabled: true, pricing }, file);
    expect(find('openai/gpt-4o')).toMatchObject({ pricing, listed: true });
    expect(changed('sandbox/echo', { regions: [] }, file).find('sandbox/echo')?.regions).toEqual(
      [],
    );
    expect(changed('openai/gpt-3.5-turbo', { enabled: true }).models).toContainEqual(
      expect.objectContaining({ id: 'openai/gpt-3.5-turbo' }),
    );
  });

  it('keeps the row of a model that is off, for it to be switched on again', () => {
    const { find, row } = changed('openai/gpt-4o', { enabled: false });
    expect(find('openai/gpt-4o')).toBeUndefined();
    expect(row('openai/gpt-4o')?.enabled).toBe(false);
    expect(catalogue({ env: {} }).row('openai/gpt-4o')?.enabled).toBe(true);
  });

  it('is left out where it does not fit any more', () => {
    expect(changed('openai/gone', { enabled: true }).row('openai/gone')).toBeUndefined();
    const { pricing } = catalogue().find('openai/gpt-4o')!;
    const gap = changed('openai/gpt-4o', { pricing: { inputPerToken: 1n } });
    expect(gap.find('openai/gpt-4o')!.pricing).toEqual(pricing);
  });

  it('switches a provider on by its key, in front of the environment’s', () => {
    const administered = { keys: new Map([['openai', 'stored']]) };
    expect(catalogue({ env: {}, administered }).connection('openai')?.apiKey).toBe('stored');
    expect(catalogue({ administered }).connection('openai')?.apiKey).toBe('stored');
    expect(catalogue({ administered }).connection('anthropic')?.apiKey).toBe('sk-anthropic');
  });
});
