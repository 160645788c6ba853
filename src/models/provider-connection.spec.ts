import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/read-config.js';
import { type Auth } from '../providers/auth.js';
import { type Provider } from '../providers/provider.js';
import { connect } from './provider-connection.js';
import { type DeploymentRow } from './provider-rows.js';

const provider = (name: string, auth: Auth, baseUrl?: string): Provider => ({
  name,
  baseUrl,
  auth,
  models: [],
  endpoints: {},
  onDisconnect: 'cancel',
  decodeError: () => undefined,
});
const bedrock = provider('bedrock', { type: 'aws-signature', service: 'bedrock' });
const vertex = provider('vertex', { type: 'google-oauth' });
const azure = provider('azure-openai', { type: 'header', name: 'api-key' });
const vllm = provider('vllm', { type: 'bearer' });

function connected(of: Provider, env: Record<string, string>, storedKey?: string) {
  const problems: string[] = [];
  const connection = connect(of, readConfig(env), storedKey, problems);
  const { baseUrl, place, apiKey } = connection ?? {};
  return { url: baseUrl?.href, place, apiKey, problems };
}

describe('connect', () => {
  let folder: string;
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-connection-'));
    await writeFile(file('key.json'), '{"type":"service_account"}');
    await writeFile(file('broken.json'), '{"private_key":"-----BEGIN');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const AWS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'us-west-2' };

  it('finds Bedrock by its region, with a signing key or a bearer key', () => {
    const url = 'https://bedrock-runtime.us-west-2.amazonaws.com/';
    expect(connected(bedrock, AWS)).toMatchObject({ url, place: { region: 'us-west-2' } });
    const bearer = { AWS_REGION: 'us-west-2', BEDROCK_API_KEY: 'k' };
    expect(connected(bedrock, bearer)).toMatchObject({ url, apiKey: 'k' });
    expect(connected(bedrock, { ...AWS, AWS_REGION: 'cn-north-1' }).url).toBe(
      'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/',
    );
    const own = { ...AWS, BEDROCK_BASE_URL: 'http://127.0.0.1:1/bedrock/' };
    expect(connected(bedrock, own)).toMatchObject({
      url: 'http://127.0.0.1:1/bedrock/',
      place: { path: '/bedrock' },
    });
  });

  it('leaves Bedrock off for a region alone, and for a stored key alone', () => {
    expect(connected(bedrock, { AWS_REGION: 'us-west-2' })).toEqual({ problems: [] });
    expect(connected(bedrock, {}, 'stored')).toEqual({ problems: [] });
    expect(connected(bedrock, { AWS_REGION: 'us-west-2' }, 'stored').apiKey).toBe('stored');
  });

  it.each([
    [undefined, 'https://aiplatform.googleapis.com/'],
    ['global', 'https://aiplatform.googleapis.com/'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com/'],
    ['us-east5', 'https://us-east5-aiplatform.googleapis.com/'],
  ])('finds Vertex AI of the region %s', (region, url) => {
    const env = {
      VERTEX_PROJECT: 'p',
      GOOGLE_APPLICATION_CREDENTIALS: file('key.json'),
      ...(region !== undefined && { VERTEX_REGION: region }),
    };
    const place = { project: 'p', region: region ?? 'global', path: '' };
    expect(connected(vertex, env)).toEqual({ url, place, apiKey: undefined, problems: [] });
  });

  it('names a credentials file that is none, without a word of it', () => {
    for (const name of ['broken.json', 'missing.json']) {
      const env = { VERTEX_PROJECT: 'p', GOOGLE_APPLICATION_CREDENTIALS: file(name) };
      expect(connected(vertex, env).problems).toEqual([
        'GOOGLE_APPLICATION_CREDENTIALS is not the path of a credentials file',
      ]);
    }
  });

  it('needs no project where the address is one’s own', () => {
    const env = { VERTEX_API_KEY: 't', VERTEX_BASE_URL: 'http://127.0.0.1:1/p/vertex' };
    expect(connected(vertex, env)).toMatchObject({
      place: { region: 'global', path: '/p/vertex' },
      problems: [],
    });
  });

  it('names the half of Azure that is missing', () => {
    const url = 'https://res.openai.azure.com/openai/v1';
    expect(connected(azure, { AZURE_OPENAI_BASE_URL: url }).problems).toEqual([
      'AZURE_OPENAI_API_KEY is needed with AZURE_OPENAI_BASE_URL',
    ]);
    expect(connected(azure, { AZURE_OPENAI_API_KEY: 'k' }).problems).toEqual([
      'AZURE_OPENAI_BASE_URL is needed with AZURE_OPENAI_API_KEY',
    ]);
    const both = { AZURE_OPENAI_BASE_URL: url, AZURE_OPENAI_API_KEY: 'k' };
    expect(connected(azure, both)).toMatchObject({ url, apiKey: 'k', problems: [] });
  });

  describe('with several keys or addresses', () => {
    const openai = provider('openai', { type: 'bearer' }, 'https://api.openai.com/v1');
    const ways = (of: Provider, env: Record<string, string>, rows?: DeploymentRow[]) => {
      const problems: string[] = [];
      const listed = rows && {
        rows,
        problem: (message: string, row?: DeploymentRow) => {
          problems.push(`${row ? `row ${rows.indexOf(row)}` : 'list'} ${message}`);
        },
      };
      const { deployments } = connect(of, readConfig(env), undefined, problems, listed) ?? {};
      const shown = deployments?.map((one) => [one.baseUrl.href, one.apiKey, one.weight]);
      return problems.length > 0 ? problems : shown;
    };
    const row = (baseUrl: string | undefined, apiKey: string | undefined, weight = 1) => ({
      baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl),
      apiKey,
      weight,
    });

    it('reads numbered keys in their order, also beyond nine', () => {
      const numbered = Array.from({ length: 9 }, (_, at) => [
        `OPENAI_API_KEY_${at + 2}`,
        `k${at + 2}`,
      ]);
      const env = { OPENAI_API_KEY: 'k', ...Object.fromEntries(numbered.reverse()) };
      const keys = ['k', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9', 'k10'];
      expect(ways(openai, env)).toEqual(keys.map((key) => ['https://api.openai.com/v1', key, 1]));
      expect(ways(openai, { OPENAI_API_KEY: 'k', OPENAI_API_KEY_2: ' ' })).toBeUndefined();
    });

    it.each([
      [{ OPENAI_API_KEY_2: 'b' }, /^OPENAI_API_KEY is needed with OPENAI_API_KEY_2$/],
      [
        { OPENAI_API_KEY: 'a', OPENAI_API_KEY_3: 'c' },
        /^OPENAI_API_KEY_3 does not follow OPENAI_API_KEY:/,
      ],
      [{ OPENAI_API_KEY: 'a', OPENAI_API_KEY_1: 'c' }, /^OPENAI_API_KEY_1 does not follow/],
      [{ OPENAI_API_KEY: 'a', OPENAI_API_KEY_02: 'c' }, /^OPENAI_API_KEY_02 does not follow/],
      [
        { OPENAI_API_KEY: 'a', OPENAI_API_KEY_2: 'two words' },
        /^OPENAI_API_KEY_2 must be visible ASCII$/,
      ],
      [
        { OPENAI_API_KEY: 'a', OPENAI_API_KEY_2: 'a' },
        /^OPENAI_API_KEY_2 is the same key as OPENAI_API_KEY$/,
      ],
      [
        { OPENAI_API_KEY: 'a', OPENAI_API_KEY_2: 'b', OPENAI_API_KEY_3: ' b ' },
        /^OPENAI_API_KEY_3 is the same key as OPENAI_API_KEY_2$/,
      ],
      [
        { OPENAI_API_KEY: 'a', OPENAI_BASE_URL_2: 'https://eu.test/v1' },
        /^OPENAI_BASE_URL_2 is no setting: more addresses are deployments in MODELS_FILE$/,
      ],
    ])('names what is wrong in %j', (env, problem) => {
      expect(ways(openai, env as Record<string, string>)).toEqual([expect.stringMatching(problem)]);
    });

    it('lays the file’s deployments over the provider’s own address and key', () => {
      const rows = [row('https://eu.test/v1', undefined, 3), row(undefined, 'b')];
      expect(ways(openai, { OPENAI_API_KEY: 'a' }, rows)).toEqual([
        ['https://eu.test/v1', 'a', 3],
        ['https://api.openai.com/v1', 'b', 1],
      ]);
    });

    it('switches a provider on by deployments that say everything', () => {
      const rows = [row('http://127.0.0.1:1/v1', 'a'), row('http://127.0.0.1:2/v1', 'b')];
      expect(ways(azure, {}, rows)).toHaveLength(2);
    });

    it.each([
      [openai, {}, [row('https://eu.test/v1', undefined)], /^list needs OPENAI_API_KEY, or/],
      [
        azure,
        {},
        [row(undefined, 'a'), row('https://eu.test/v1', undefined)],
        /^list needs AZURE_OPENAI_BASE_URL, or/,
      ],
      [
        openai,
        { OPENAI_API_KEY: 'a' },
        [row('https://eu.test/v1', undefined), row('https://eu.test/v2', undefined)],
        /^row 1 must have the path \/v1/,
      ],
      [
        openai,
        { OPENAI_API_KEY: 'a', OPENAI_API_KEY_2: 'b' },
        [row(undefined, 'c')],
        /^list and OPENAI_API_KEY_2 exclude each other/,
      ],
      [
        bedrock,
        AWS,
        [row('https://bedrock-runtime.eu-west-1.amazonaws.com', undefined)],
        /^row 0 can only differ in its key/,
      ],
    ])('names what is wrong with the deployments of %j', (of, env, rows, problem) => {
      expect(ways(of, env as Record<string, string>, rows)).toEqual([
        expect.stringMatching(problem),
      ]);
    });
  });

  it('asks a server of one’s own for an address only', () => {
    expect(connected(vllm, { VLLM_BASE_URL: 'http://127.0.0.1:8000/v1' })).toMatchObject({
      url: 'http://127.0.0.1:8000/v1',
      problems: [],
    });
    expect(connected(vllm, {})).toEqual({ problems: [] });
  });
});
