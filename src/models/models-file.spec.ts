import { describe, expect, it } from '@jest/globals';
import { workedMs } from '../../test/support/worked-ms.js';
import { unitsOfUsd } from '../contract/money.js';
import { readModelsFile } from './models-file.js';

const SECRETS: Record<string, string> = { MY_VLLM_KEY: 'secret', BAD_KEY: 'two\nlines' };

function read(text: string, allowInsecureUpstream = false) {
  const problems: string[] = [];
  const config = { allowInsecureUpstream, secret: (variable: string) => SECRETS[variable] };
  const rules = { config, takenNames: new Set(['openai', 'bedrock']) };
  return { file: readModelsFile(text, rules, problems), problems };
}

const problemsOf = (text: string) => read(text).problems;
const modelOf = (fields: string) => `models:\n  my/model:\n    ${fields}\n`;

describe('readModelsFile', () => {
  it('reads everything that the contract shows', () => {
    const { file, problems } = read(`
providers:
  my-vllm:
    format: openai
    base_url: http://10.0.0.5:8000/v1
    api_key_env: MY_VLLM_KEY
  open:
    format: anthropic
    base_url: https://models.example.com
models:
  my-vllm/qwen3-32b:
    endpoints: [messages]
    context_length: 131072
    max_output_tokens: 8192
    pricing: { input_cost_per_token: 0.0000002, output_cost_per_token: 0.0000006 }
    capabilities: { supports_function_calling: true, input_modalities: [text, image] }
    regions: [EU, us, de, moon-1, eu]
  openai/my-new-embedding:
    endpoints: [embeddings, embeddings]
    pricing: { input_cost_per_token: 0.00000002 }
    capabilities: { supports_dimensions: true, max_input_items: 2048 }
  openai/gpt-4o: { enabled: false }
`);
    expect(problems).toEqual([]);
    expect(file.providers).toEqual([
      {
        name: 'my-vllm',
        format: 'openai',
        baseUrl: new URL('http://10.0.0.5:8000/v1'),
        apiKey: 'secret',
        keyVariable: 'MY_VLLM_KEY',
      },
      {
        name: 'open',
        format: 'anthropic',
        baseUrl: new URL('https://models.example.com'),
        apiKey: undefined,
      },
    ]);
    expect(file.models).toMatchObject([
      {
        id: 'my-vllm/qwen3-32b',
        provider: 'my-vllm',
        name: 'qwen3-32b',
        enabled: true,
        given: {
          endpoints: ['messages'],
          contextLength: 131_072,
          maxOutputTokens: 8_192,
          pricing: { inputPerToken: 200_000n, outputPerToken: 600_000n },
          capabilities: { supports_function_calling: true, input_modalities: ['text', 'image'] },
          regions: [
            { code: 'eu', name: 'Europe' },
            { code: 'us', name: 'United States' },
            { code: 'de', name: 'Germany' },
            { code: 'moon-1', name: 'moon-1' },
          ],
        },
      },
      {
        id: 'openai/my-new-embedding',
        given: {
          endpoints: ['embeddings'],
          pricing: { inputPerToken: 20_000n },
          capabilities: { supports_dimensions: true, max_input_items: 2_048 },
        },
      },
      { id: 'openai/gpt-4o', enabled: false, given: {} },
    ]);
  });

  it('reads every kind of price', () => {
    const { file, problems } = read(
      modelOf(`pricing:
      input_cost_per_token: 1e-6
      output_cost_per_token: 0
      cache_read_input_token_cost: 0.0000000001
      cache_creation_input_token_cost: 3e-6
      cache_creation_1h_input_token_cost: 4e-6
      input_cost_per_image_token: 5e-6
      output_cost_per_image_token: 6e-6
      cached_input_cost_per_image_token: 7e-6
      output_cost_per_image: { 1024x1024/hd: 0.08, 512x512: 0.02 }
      cost_per_request: 0.005
      tiers:
        - { above_input_tokens: 500000, input_cost_per_token: 9e-6 }
        - { above_input_tokens: 200000, input_cost_per_token: 8e-6, output_cost_per_image: 0.1 }`),
    );
    expect(problems).toEqual([]);
    expect(file.models[0]?.given.pricing).toEqual({
      inputPerToken: 1_000_000n,
      outputPerToken: 0n,
      cacheReadPerToken: 100n,
      cacheWritePerToken: 3_000_000n,
      cacheWrite1hPerToken: 4_000_000n,
      inputPerImageToken: 5_000_000n,
      outputPerImageToken: 6_000_000n,
      cachedInputPerImageToken: 7_000_000n,
      perImage: { '1024x1024/hd': unitsOfUsd(0.08), '512x512': unitsOfUsd(0.02) },
      perRequest: unitsOfUsd(0.005),
      tiers: [
        { aboveInputTokens: 200_000, inputPerToken: 8_000_000n, perImage: unitsOfUsd(0.1) },
        { aboveInputTokens: 500_000, inputPerToken: 9_000_000n },
      ],
    });
  });

  it.each(['', '# nothing yet', '{}', 'models:', 'providers: {}\nmodels: {}'])(
    'takes %j for a file without rows',
    (text) => {
      expect(read(text)).toMatchObject({ file: { providers: [], models: [] }, problems: [] });
    },
  );

  it('names every problem at once, each with its line and path', () => {
    expect(
      problemsOf(`providers:
  my-vllm:
    format: carrier-pigeon
    base_url: http://169.254.169.254/v1
    api_key: secret
  openai: { format: openai, base_url: https://example.com }
models:
  my-vllm/a:
    endpoint: [messages]
    context_length: 0
  my-vllm/b:
    pricing:
      input_cost_per_token: "free"
      tiers: [{ input_cost_per_token: -1 }]
modles: {}
`),
    ).toEqual([
      expect.stringMatching(/^MODELS_FILE line 15: modles is not a known key/),
      expect.stringMatching(/^MODELS_FILE line 5: providers\.my-vllm\.api_key is not a known key/),
      expect.stringMatching(/^MODELS_FILE line 3: .*must be one of openai, anthropic/),
      expect.stringMatching(/^MODELS_FILE line 4: providers\.my-vllm\.base_url .*metadata/),
      expect.stringMatching(/^MODELS_FILE line 6: providers\.openai is the name of a built-in/),
      expect.stringMatching(/^MODELS_FILE line 9: models\.my-vllm\/a\.endpoint is not a known key/),
      expect.stringMatching(/^MODELS_FILE line 10: models\.my-vllm\/a\.context_length must be/),
      expect.stringMatching(/^MODELS_FILE line 14: .*tiers\.0 needs above_input_tokens/),
      expect.stringMatching(/^MODELS_FILE line 14: .*tiers\.0\.input_cost_per_token must be/),
      expect.stringMatching(/^MODELS_FILE line 13: .*input_cost_per_token must be a number/),
    ]);
  });

  it('says of a built-in provider’s name that alone, and not what an own provider needs', () => {
    const said = 'MODELS_FILE line 2: providers.openai is the name of a built-in provider';
    expect(problemsOf('providers:\n  openai: { base_url: "https://a.example" }\n')).toEqual([said]);
  });

  it.each([
    ['format: soap\n    base_url: https://a.example', /must be one of openai, anthropic/],
    ['base_url: https://a.example', /needs format/],
    ['format: openai', /needs base_url/],
    ['format: openai\n    base_url: http://example.com/v1', /must be https/],
    ['format: openai\n    base_url: https://u:hunter2@example.com/v1', /password/],
    [
      'format: openai\n    base_url: https://a.example\n    api_key_env: NOT_SET',
      /NOT_SET.*not set/,
    ],
    ['format: openai\n    base_url: https://a.example\n    api_key_env: BAD_KEY', /visible ASCII/],
    [
      'format: openai\n    base_url: https://a.example\n    api_key_env: CAUSEWAY_ADMIN_KEY',
      /CAUSEWAY_/,
    ],
    [
      'format: openai\n    base_url: https://a.example\n    api_key_env: "A B"',
      /environment variable/,
    ],
  ])('refuses a provider with %j', (fields, expected) => {
    const problems = problemsOf(`providers:\n  mine:\n    ${fields}\n`);
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(problems[0]).not.toMatch(/hunter2|two/);
  });

  it.each(['Mine', '-mine', 'my_vllm', 'a'.repeat(65)])('refuses the name %j', (name) => {
    expect(
      problemsOf(`providers:\n  ${name}: { format: openai, base_url: https://a.example }`),
    ).toEqual([expect.stringMatching(/is no provider name/)]);
  });

  it.each([
    'gpt-4o',
    'openai/',
    '/gpt-4o',
    'Open AI/gpt',
    `openai/${'a'.repeat(300)}`,
    '"openai/a\\nb"',
    'openai/größer',
    'openai/模型',
  ])('refuses the model id %s', (id) => {
    expect(problemsOf(`models:\n  ${id}: { enabled: true }`)).toEqual([
      expect.stringMatching(/^MODELS_FILE line 2: .*must be a model id/),
    ]);
  });

  it('takes ids with slashes, colons, dots and blanks behind the first slash', () => {
    const { file, problems } = read('models: { "bedrock/amazon/nova-canvas v1:0": {} }');
    expect(problems).toEqual([]);
    expect(file.models[0]).toMatchObject({ provider: 'bedrock', name: 'amazon/nova-canvas v1:0' });
  });

  it.each([
    ['endpoints: []', /endpoints needs one or more/],
    ['endpoints: messages', /endpoints must be a list/],
    ['endpoints: [chat]', /endpoints\.0 must be one of messages/],
    ['max_output_tokens: 1.5', /max_output_tokens must be a whole number/],
    ['enabled: "no"', /enabled must be true or false/],
    ['regions: [""]', /regions\.0 must be a region code/],
    ['regions: [~]', /regions\.0 must not be empty/],
    ['regions: [5]', /regions\.0 must be a text/],
    ['capabilities: { supports_magic: true }', /supports_magic is not a known key/],
    ['capabilities: { supports_reasoning: 1 }', /supports_reasoning must be true or false/],
    ['capabilities: { dimensions: 0 }', /dimensions must be a whole number/],
    ['capabilities: [text]', /capabilities must be a map/],
    ['pricing: 5', /pricing must be a map/],
    ['pricing: { input_cost_per_token: .nan }', /must be a number/],
    ['pricing: { input_cost_per_token: .inf }', /must be a number/],
    ['pricing: { input_cost_per_token: 1e-13 }', /finer than 10\^-12 USD/],
    ['pricing: { input_cost_per_token: 1.00000000000005e-6 }', /finer than 10\^-12 USD/],
    ['pricing: { output_cost_per_image: {} }', /needs at least one price/],
    ['pricing: { output_cost_per_image: { hd: ~ } }', /hd needs a price/],
    ['pricing: { tiers: 5 }', /tiers must be a list/],
    ['pricing: { service_tiers: 5 }', /service_tiers must be a map/],
    ['pricing: { service_tiers: { fast: 1.001 } }', /fast is finer than a hundredth/],
    ['pricing: { service_tiers: { fast: -1 } }', /fast must be a number, 0 or more/],
    ['pricing: { service_tiers: { fast: } }', /fast needs a number/],
    ['alias_of: my/other', /alias_of is not a known key/],
  ])('refuses a model with %s', (fields, expected) => {
    const problems = problemsOf(modelOf(fields));
    expect(problems.filter((problem) => expected.test(problem))).toHaveLength(1);
    for (const problem of problems) expect(problem).toMatch(/^MODELS_FILE line 3: /);
  });

  it.each([
    'models: [',
    'models: {}\nmodels: {}',
    'models: {}\n---\nmodels: {}',
    'a: !!mystery 5',
    'just text',
    '- a list',
    'models: *nowhere',
  ])('refuses %j, which is no such file', (text) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) {
      expect(problem).toMatch(/^MODELS_FILE/);
      expect(problem).not.toMatch(/\n/);
    }
  });

  it('says of a second document in its own words', () => {
    expect(problemsOf('models: {}\n---\nmodels: {}')).toEqual([
      'MODELS_FILE line 2: a second document begins here, and only one is read',
    ]);
  });

  it('lets rows share prices by an anchor', () => {
    const rows = Array.from({ length: 300 }, (_, index) => `  my/m${index}: { pricing: *shared }`);
    const { file, problems } = read(
      `models:\n  my/first: { pricing: &shared { input_cost_per_token: 1e-6 } }\n${rows.join('\n')}`,
    );
    expect(problems).toEqual([]);
    expect(file.models.at(-1)?.given.pricing).toEqual({ inputPerToken: 1_000_000n });
  });

  it('is not held up by a bomb of anchors or of brackets', async () => {
    const names = 'abcdefghijkl'.split('');
    const bomb = names.map((name, index) => {
      const inner = index === 0 ? '1' : `*${names[index - 1]!}`;
      return `${name}: &${name} [${Array(9).fill(inner).join(',')}]`;
    });
    const ms = await workedMs(() => {
      expect(problemsOf(bomb.join('\n')).length).toBeGreaterThan(0);
      expect(problemsOf('['.repeat(100_000)).length).toBeGreaterThan(0);
    });
    expect(ms).toBeLessThan(5_000);
  });

  it('does not mistake inherited names for keys', () => {
    expect(problemsOf('__proto__: { models: {} }\nconstructor: {}')).toHaveLength(2);
    expect(problemsOf('models: { my/m: { toString: 1 } }')).toHaveLength(1);
  });

  describe('deployments', () => {
    const own = (list: string) =>
      `providers:\n  my:\n    format: openai\n    base_url: http://10.0.0.5\n    deployments: ${list}\n`;

    it('are read for one’s own provider and for a built-in one', () => {
      const { file, problems } = read(
        own('[{ base_url: http://10.0.0.6, weight: 2.5 }, { api_key_env: MY_VLLM_KEY }]') +
          '  openai:\n    deployments: [{ api_key_env: MY_VLLM_KEY }]\n',
      );
      expect(problems).toEqual([]);
      expect(file.providers[0]?.deployments).toEqual([
        { baseUrl: new URL('http://10.0.0.6'), apiKey: undefined, weight: 2.5 },
        { baseUrl: undefined, apiKey: 'secret', weight: 1 },
      ]);
      expect([...file.deployments.keys()]).toEqual(['openai']);
      expect(file.deployments.get('openai')?.rows).toEqual([
        { baseUrl: undefined, apiKey: 'secret', weight: 1 },
      ]);
      expect([...file.providerNames]).toEqual(['my']);
    });

    it('need no address of the provider where each has its own', () => {
      const without = (list: string) =>
        `providers:\n  my:\n    format: openai\n    deployments: ${list}\n`;
      const { file, problems } = read(
        without('[{ base_url: http://10.0.0.5/a }, { base_url: http://10.0.0.6/b }]'),
      );
      expect(problems).toEqual([]);
      expect(file.providers[0]?.baseUrl.href).toBe('http://10.0.0.5/a');
      expect(
        problemsOf(without('[{ base_url: http://10.0.0.5 }, { api_key_env: MY_VLLM_KEY }]')),
      ).toEqual([expect.stringMatching(/my needs base_url/)]);
      // Only what is wrong: with an address for the provider it would be refused all the same.
      for (const list of ['[{ base_url: http://example.com }]', '[]', '[{ weight: 2 }]']) {
        expect(problemsOf(without(list))).toHaveLength(1);
      }
    });

    const TWIN = 'line 5: providers.my.deployments.1 is the address and key of deployments.0';
    it.each([
      [own('[]'), 'line 5: providers.my.deployments needs one or more'],
      [own('{ weight: 1 }'), 'line 5: providers.my.deployments must be a list'],
      [own('[{ weight: 1 }]'), 'providers.my.deployments.0 needs base_url or api_key_env'],
      [own('[{ base_url: http://10.0.0.6, weight: 0 }]'), 'weight must be a number, more than 0'],
      [own('[{ base_url: http://10.0.0.6, weight: -1 }]'), 'weight must be a number, more than 0'],
      [own('[{ base_url: http://169.254.169.254 }]'), 'deployments.0.base_url'],
      [own('[{ api_key_env: NOT_SET }]'), 'names NOT_SET, which is not set'],
      [own('[{ api_key_env: MY_VLLM_KEY }, { api_key_env: MY_VLLM_KEY, weight: 2 }]'), TWIN],
      [own('[{ base_url: http://10.0.0.6/v1 }, { base_url: "HTTP://10.0.0.6:80/v1/" }]'), TWIN],
      [
        own(
          '[{ api_key_env: MY_VLLM_KEY }, { base_url: http://10.0.0.5, api_key_env: MY_VLLM_KEY }]',
        ),
        TWIN,
      ],
      [own('[{ api_key: k, api_key_env: MY_VLLM_KEY }]'), 'api_key is not a known key'],
      [
        'providers:\n  openai:\n    format: openai\n    deployments: [{ api_key_env: MY_VLLM_KEY }]\n',
        'line 3: providers.openai.format is not a known key',
      ],
    ])('are refused where they are wrong: %s', (text, problem) => {
      expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
    });
  });
});
