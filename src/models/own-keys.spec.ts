import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '../config/read-config.js';
import { ownProvider } from '../providers/own-provider.js';
import { PROVIDERS } from '../providers/providers.js';
import { buildCatalogue } from './catalogue.js';
import { UNTOUCHED } from './model-override.js';

const AT = 'format: openai, base_url: http://127.0.0.1:1/v1';

describe('the keys of a provider of the operator’s own', () => {
  /** The keys of `acme`, or what is wrong. */
  const keysOf = (file: string, env: Record<string, string>, stored?: string) => {
    const keys = new Map(stored === undefined ? [] : [['acme', stored]]);
    const administered = { ...UNTOUCHED, keys };
    const known = { providers: PROVIDERS, ownProvider };
    try {
      const { catalogue } = buildCatalogue(known, readConfig(env), file, new Date(), administered);
      const { apiKey, deployments = [{ apiKey }] } = catalogue.connection('acme') ?? {};
      return deployments.map((one) => one.apiKey);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  };
  const acme = (more: string) => `providers: { acme: { ${AT}, ${more} } }`;

  it.each(['ACME_API_KEY', 'GPU_TOKEN'])('are numbered behind %s, which it names', (variable) => {
    const env = { [variable]: 'a', [`${variable}_3`]: 'c', [`${variable}_2`]: 'b' };
    const file = acme(`api_key_env: ${variable}`);
    expect(keysOf(file, env)).toEqual(['a', 'b', 'c']);
    expect(keysOf(file, env, 'stored')).toEqual(['stored', 'b', 'c']);
  });

  it('are not those that the file names elsewhere', () => {
    const env = { KEY: 'a', KEY_2: 'b' };
    const file = `providers: { acme: { ${AT}, api_key_env: KEY }, other: { ${AT}, api_key_env: KEY_2 } }`;
    expect(keysOf(file, env)).toEqual(['a']);
    const list = 'deployments: [{ api_key_env: KEY }, { api_key_env: KEY_2 }]';
    expect(keysOf(acme(`api_key_env: KEY, ${list}`), env)).toEqual(['a', 'b']);
  });

  it('are not those of another provider', () => {
    const env = { OPENAI_API_KEY: 'a', OPENAI_API_KEY_2: 'b' };
    expect(keysOf(acme('api_key_env: OPENAI_API_KEY'), env)).toEqual(['a']);
  });

  it.each([
    ['api_key_env: KEY', { KEY: 'a', KEY_3: 'c' }, 'KEY_3 does not follow KEY: keys are numbered'],
    ['api_key_env: KEY', { KEY: 'a', KEY_2: 'a' }, 'KEY_2 is the same key as KEY'],
    [
      'deployments: [{ base_url: "http://127.0.0.1:2/v1" }], api_key_env: KEY',
      { KEY: 'a', KEY_2: 'b' },
      'providers.acme.deployments and KEY_2 exclude each other',
    ],
    [
      'api_key_env: KEY',
      { KEY: 'a', ACME_API_KEY_2: 'b' },
      'ACME_API_KEY_2 needs ACME_API_KEY as the api_key_env of providers.acme',
    ],
    [
      'deployments: [{ base_url: "http://127.0.0.1:2/v1" }]',
      { ACME_API_KEY_2: 'b', ACME_BASE_URL_2: 'http://127.0.0.1:3/v1' },
      'ACME_BASE_URL_2 is no setting: more addresses are deployments in MODELS_FILE',
    ],
  ])('stop the start when they would not be used: %s, %j', (more, env, problem) => {
    expect(keysOf(acme(more), env as Record<string, string>)).toContainEqual(
      expect.stringContaining(problem),
    );
  });
});
