import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteFile from 'better-sqlite3';
import { existsSync, writeFileSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { asked, causeway, causewayHere } from './support/command-line.js';
import { describeEveryEngine, temporaryDirectory } from './support/databases.js';
import { FakeUpstream, type Received } from './support/fake-upstream.js';
import { ADMIN_KEY, startGateway } from './support/gateway.js';
import { describeWithRedis } from './support/redis.js';

const KEY = 'sk-a-key-that-nobody-may-see';
const upstream = new FakeUpstream();

interface Check {
  readonly check: string;
  readonly status: string;
  readonly ms: number;
  readonly detail: string;
}

async function examined(settings: Readonly<Record<string, string>>) {
  const { code, stdout, stderr, json } = await causewayHere(settings, 'doctor', '--json');
  expect(stderr).toBe('');
  const { ok, checks } = json as { ok: boolean; checks: readonly Check[] };
  expect(code).toBe(ok ? 0 : 1);
  expect(ok).toBe(checks.every(({ status }) => status !== 'failed'));
  const of = (name: string): Check => {
    const found = checks.find(({ check }) => check === name);
    if (!found) throw new Error(`${name} was not checked: ${stdout}`);
    return found;
  };
  return { code, stdout, checks, of };
}

/** Answers as each of the providers below does, by the first part of the path. */
function answer(response: ServerResponse, request: Received): void {
  const [, name = ''] = request.path.split(/[/?]/);
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const message = { role: 'assistant', content: 'Hi' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const chat = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
  const content = [{ type: 'text', text: 'Hi' }];
  const counts = { input_tokens: 1, output_tokens: 1 };
  const said = { id: 'm', type: 'message', role: 'assistant', content, usage: counts };
  const vectors = [{ object: 'embedding', index: 0, embedding: [0.5] }];
  const replies: Record<string, () => void> = {
    good: () => {
      send(200, chat);
    },
    // The tokens were spent on thinking.
    thinking: () => {
      const nothing = { role: 'assistant', content: null };
      send(200, { ...chat, choices: [{ index: 0, message: nothing, finish_reason: 'length' }] });
    },
    anthropic: () => {
      send(200, said);
    },
    vectors: () => {
      send(200, { object: 'list', data: vectors, usage });
    },
    images: () => {
      send(404, {});
    },
    // Some repeat what they were sent.
    refusing: () => {
      send(401, { error: { message: `Wrong key: ${String(request.headers.authorization)}\nx` } });
    },
    page: () => {
      send(200, '<html>Log in</html>');
    },
    broken: () => {
      send(500, { error: { message: 'out of order' } });
    },
    busy: () => {
      send(429, { error: { message: 'You have no quota.' } });
    },
    moved: () => {
      response.writeHead(302, { location: 'https://example.com/' }).end();
    },
    hanging: () => undefined,
    // Two buckets, as AWS answers for them.
    locked: () => {
      send(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
    },
    elsewhere: () => {
      response.writeHead(301, { 'x-amz-bucket-region': 'eu-west-1' }).end();
    },
    // A key that is not good for the cheapest model.
    picky: () => {
      const { model } = request.body as { model: string };
      if (model === 'dear') send(200, chat);
      else send(404, { error: { message: 'no such model' } });
    },
  };
  (replies[name] ?? replies.broken)?.();
}

const CHAT = 'endpoints: [messages], max_output_tokens: 100';
const price = (usd: string) =>
  `pricing: {input_cost_per_token: ${usd}, output_cost_per_token: ${usd}}`;

function modelsFile(names: readonly string[]): string {
  const endpoints: Record<string, string> = {
    vectors: `endpoints: [embeddings], pricing: {input_cost_per_token: 0.1}`,
    images: `endpoints: [images], pricing: {output_cost_per_image: 0.1}`,
  };
  const providers = names.map((name) => {
    const url = name === 'gone' ? 'http://127.0.0.1:1' : upstream.url;
    return `  own-${name}: {format: openai, base_url: "${url}/${name}", api_key_env: OWN_SECRET}`;
  });
  const models = names.flatMap((name) => [
    `  own-${name}/cheap: {${endpoints[name] ?? `${CHAT}, ${price('0.001')}`}}`,
    ...(name === 'picky' ? [`  own-picky/dear: {${CHAT}, ${price('0.002')}}`] : []),
  ]);
  const path = join(temporaryDirectory(), 'models.yaml');
  writeFileSync(path, ['providers:', ...providers, 'models:', ...models, ''].join('\n'));
  return path;
}

beforeAll(async () => {
  await upstream.listen();
  upstream.answers(answer);
});
afterAll(() => upstream.close());

describe('doctor and the providers', () => {
  it('makes a small real call to each that is switched on, and all is well', async () => {
    const before = upstream.received.length;
    const { code, of, stdout } = await examined({
      DATA_DIR: temporaryDirectory(),
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${upstream.url}/good`,
      ANTHROPIC_API_KEY: `${KEY}-2`,
      ANTHROPIC_BASE_URL: `${upstream.url}/anthropic`,
      OWN_SECRET: `${KEY}-3`,
      MODELS_FILE: modelsFile(['vectors', 'images', 'picky', 'thinking']),
    });
    expect(code).toBe(0);
    expect(of('provider openai')).toMatchObject({
      status: 'ok',
      ms: expect.any(Number),
      detail: expect.stringMatching(/^openai\/\S+ answered$/),
    });
    expect(of('provider anthropic').detail).toMatch(/^anthropic\/\S+ answered$/);
    expect(of('provider sandbox').status).toBe('ok');
    expect(of('provider own-vectors').detail).toBe('own-vectors/cheap answered');
    expect(of('provider own-images').detail).toMatch(/no call was made/);
    expect(of('provider own-thinking').status).toBe('ok');
    expect(of('provider own-picky').detail).toBe('own-picky/dear answered');
    expect(stdout).not.toContain(KEY);

    const sent = upstream.received.slice(before);
    const chat = sent.find(({ path }) => path === '/good/chat/completions');
    expect(chat?.headers.authorization).toBe(`Bearer ${KEY}`);
    const { max_tokens: most, max_completion_tokens: mostNow } = chat?.body ?? {};
    expect(most ?? mostNow).toBeLessThanOrEqual(16);
    const messages = sent.find(({ path }) => path === '/anthropic/v1/messages');
    expect(messages?.headers['x-api-key']).toBe(`${KEY}-2`);
    expect(messages?.body.max_tokens).toBeLessThanOrEqual(16);
    expect(sent.find(({ path }) => path.startsWith('/vectors'))?.path).toBe('/vectors/embeddings');
    expect(sent.find(({ path }) => path.startsWith('/images'))?.method).toBe('GET');
  });

  it('says of each what is wrong with it, and never a secret', async () => {
    const { code, of, stdout } = await examined({
      DATA_DIR: temporaryDirectory(),
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${upstream.url}/refusing`,
      OWN_SECRET: `${KEY}-3`,
      UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '500',
      MODELS_FILE: modelsFile(['refusing', 'page', 'broken', 'busy', 'moved', 'hanging', 'gone']),
    });
    expect(code).toBe(1);
    expect(of('provider openai')).toMatchObject({
      status: 'failed',
      detail: 'OPENAI_API_KEY was refused (401): Wrong key: Bearer [secret] x',
    });
    expect(of('provider own-refusing').detail).toMatch(/^the key of own-refusing was refused/);
    expect(of('provider own-page').detail).toMatch(/200.*not in its format.*address/);
    expect(of('provider own-broken').detail).toBe('own-broken/cheap failed (500): out of order');
    expect(of('provider own-busy').detail).toMatch(/\(429\): You have no quota/);
    expect(of('provider own-moved').detail).toMatch(/leads elsewhere \(302\)/);
    expect(of('provider own-hanging').detail).toMatch(/does not answer: no answer in time/);
    expect(of('provider own-gone').detail).toBe(
      'the address http://127.0.0.1:1/gone does not answer: connection refused',
    );
    expect(of('provider sandbox').status).toBe('ok');
    expect(stdout).not.toContain(KEY);
  });

  it('calls a provider with each of its keys and addresses, by their numbers', async () => {
    const path = join(temporaryDirectory(), 'models.yaml');
    const second = `{base_url: "${upstream.url}/broken", api_key_env: OWN_CREDIT}`;
    const third = `{base_url: "${upstream.url}/refusing", api_key_env: OWN_CREDIT}`;
    const deployments = `[{base_url: "${upstream.url}/good"}, ${second}, ${third}]`;
    const model = `own/cheap: {${CHAT}, ${price('0.001')}}`;
    writeFileSync(
      path,
      `providers: {own: {format: openai, deployments: ${deployments}}}\nmodels: {${model}}\n`,
    );
    const before = upstream.received.length;
    const { of, stdout } = await examined({
      DATA_DIR: temporaryDirectory(),
      OPENAI_API_KEY: KEY,
      OPENAI_API_KEY_2: `${KEY}-2`,
      OPENAI_BASE_URL: `${upstream.url}/good`,
      OWN_CREDIT: `${KEY}-3`,
      MODELS_FILE: path,
    });
    expect(of('provider openai/1').status).toBe('ok');
    expect(of('provider openai/2').status).toBe('ok');
    expect(of('provider own/1').status).toBe('ok');
    expect(of('provider own/2').detail).toBe('own/cheap failed (500): out of order');
    expect(of('provider own/3').detail).toMatch(/^the key of own was refused \(401\)/);
    expect(stdout).not.toContain(KEY);

    const sent = upstream.received.slice(before).filter(({ path }) => path.startsWith('/good'));
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(
      expect.arrayContaining([`Bearer ${KEY}`, `Bearer ${KEY}-2`]),
    );
  });

  it('shows the same as a table', async () => {
    const settings = { DATA_DIR: temporaryDirectory(), OPENAI_API_KEY: KEY };
    const { code, stdout } = await causeway(
      { ...settings, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      'doctor',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^CHECK +STATUS +MS +DETAIL\n/);
    expect(stdout).toMatch(
      /^provider openai +failed +\d+ +.*OPENAI_BASE_URL.*connection refused$/m,
    );
  });

  it('lists every setting that is wrong, also those of models and addresses', async () => {
    const settings = { DATA_DIR: temporaryDirectory() };
    const { checks } = await examined({ ...settings, PORT: 'x', S3_BUCKET: 'files' });
    const details = checks.map(({ detail }) => detail).join('\n');
    for (const name of ['PORT', 'S3_ENDPOINT', 'S3_REGION', 'S3_SECRET_ACCESS_KEY']) {
      expect(details).toContain(name);
    }
    const { of } = await examined({
      ...settings,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: 'http://169.254.169.254/',
    });
    expect(of('models')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('OPENAI_BASE_URL'),
    });
  });

  it('lists what is wrong with the table of the router, which would end a start', async () => {
    const path = join(temporaryDirectory(), 'prior.yaml');
    writeFileSync(path, 'families:\n  one: { quality: -1 }\n  two: { coding: 0.5, quality: 1 }\n');
    const settings = { DATA_DIR: temporaryDirectory() };
    const { checks } = await examined({ ...settings, ROUTER_PRIOR_FILE: path });
    expect(checks).toEqual(
      ['line 2: families.one.quality', 'line 3: families.two.coding'].map((place) =>
        expect.objectContaining({
          check: 'configuration',
          status: 'failed',
          detail: expect.stringContaining(`ROUTER_PRIOR_FILE ${place}`),
        }),
      ),
    );
    const gone = await examined({ ...settings, ROUTER_PRIOR_FILE: `${path}.gone` });
    expect(gone.of('configuration').detail).toMatch(/^ROUTER_PRIOR_FILE cannot be read: ENOENT/);
  });
});

describeEveryEngine('doctor and the database', (engine) => {
  it('names the engine and what is to be migrated, and changes nothing', async () => {
    const settings = { ...(await engine.fresh()) };
    const before = (await examined(settings)).of('database');
    expect(before.status).toBe(engine.name === 'sqlite' ? 'skipped' : 'warning');
    expect(before.detail).toContain(engine.name);
    expect(existsSync(join(settings.DATA_DIR, 'causeway.db'))).toBe(false);
    if (engine.name === 'postgres') expect(before.detail).toMatch(/migrations to come: 1, 2/);
    expect((await asked(settings, 'migrate')).applied).toContain(1);
    const after = (await examined(settings)).of('database');
    expect(after).toMatchObject({ status: 'ok', detail: expect.stringContaining('up to date') });
  });

  it('uses the keys that the database holds, and says when it cannot', async () => {
    const settings = {
      ...(await engine.fresh()),
      OPENAI_BASE_URL: `${upstream.url}/refusing`,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const gateway = await startGateway(settings);
    const stored = await fetch(`${gateway.url}/v3/admin/providers/openai/credentials`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: KEY }),
    });
    expect(stored.status).toBe(200);
    await gateway.close();
    const { of, stdout } = await examined(settings);
    expect(of('provider openai').detail).toMatch(/^the key of openai was refused \(401\)/);
    expect(stdout).not.toContain(KEY);
    const { ENCRYPTION_KEY, ...without } = settings;
    expect((await examined(without)).of('models')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/openai.*ENCRYPTION_KEY/),
    });
  });
});

describe('doctor and what cannot be used', () => {
  it('says that a PostgreSQL does not answer, without its password', async () => {
    const { of, stdout } = await examined({
      DATA_DIR: temporaryDirectory(),
      DATABASE_URL: 'postgres://user:pa55word@127.0.0.1:1/causeway',
    });
    expect(of('database')).toMatchObject({
      status: 'failed',
      detail: 'postgres at 127.0.0.1:1/causeway cannot be used: connection refused',
    });
    expect(of('provider sandbox').status).toBe('ok');
    expect(stdout).not.toContain('pa55word');
  });

  it('says that a file is no database, and that a directory cannot be made', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'causeway.db');
    writeFileSync(file, 'no database at all'.repeat(100));
    const damaged = await examined({ DATA_DIR: directory });
    expect(damaged.of('database').detail).toContain('the file is no database');
    expect(damaged.of('data directory').status).toBe('ok');
    const { of } = await examined({ DATA_DIR: join(file, 'data') });
    expect(of('data directory')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('no directory'),
    });
  });

  it('warns of time limits that leave none for fallbacks, as the start does', async () => {
    const within = async (total: string) =>
      (await examined({ DATA_DIR: temporaryDirectory(), UPSTREAM_TOTAL_TIMEOUT_MS: total })).of(
        'models',
      );
    expect(await within('120000')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/UPSTREAM_FIRST_BYTE_TIMEOUT_MS .* UPSTREAM_TOTAL_TIMEOUT_MS/),
    });
    expect((await within('120001')).status).toBe('ok');
  });

  it('knows a database of a newer version', async () => {
    const settings = { DATA_DIR: temporaryDirectory() };
    await asked(settings, 'migrate');
    const file = new SqliteFile(join(settings.DATA_DIR, 'causeway.db'));
    file.exec('insert into migrations (number) values (999)');
    file.close();
    expect((await examined(settings)).of('database')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/newer.*999/),
    });
  });

  it('does not wait for ever for a Redis that takes a connection and says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as { port: number };
    const url = `redis://:pa55word@127.0.0.1:${port}`;
    const { of, stdout } = await examined({ DATA_DIR: temporaryDirectory(), REDIS_URL: url });
    silent.close();
    expect(of('redis')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining(`127.0.0.1:${port}`),
    });
    expect(stdout).not.toContain('pa55word');
  });
});

describeWithRedis('doctor and Redis', (redis) => {
  it('says whether it can be used', async () => {
    const settings = { DATA_DIR: temporaryDirectory() };
    const here = await examined({ ...settings, REDIS_URL: redis.url });
    expect(here.of('redis').status).toBe('ok');
    await redis.command('CONFIG SET requirepass right-one');
    const wrong = redis.url.replace('redis://', 'redis://:wrong-one@');
    const refused = await examined({ ...settings, REDIS_URL: wrong });
    expect(refused.of('redis')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/WRONGPASS/),
    });
    expect(refused.stdout).not.toContain('wrong-one');
    await redis.stop();
    const gone = await examined({ ...settings, REDIS_URL: redis.url });
    expect(gone.of('redis').detail).toContain('connection refused');
  });
});

describe('doctor and the object store', () => {
  const require = createRequire(import.meta.url);
  const Store = require('s3rver') as new (options: object) => {
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  };
  let store: InstanceType<typeof Store>;
  let settings: Record<string, string>;

  beforeAll(async () => {
    store = new Store({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: temporaryDirectory(),
      configureBuckets: [{ name: 'files' }],
    });
    const { port } = await store.run();
    settings = {
      DATA_DIR: temporaryDirectory(),
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'files',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
  });
  afterAll(() => store.close());

  it.each([
    ['a bucket that is there', {}, 'ok', /bucket files/],
    ['no such bucket', { S3_BUCKET: 'others' }, 'failed', /^S3_BUCKET: there is no bucket others/],
    ['an unknown key', { S3_ACCESS_KEY_ID: 'nobody' }, 'failed', /^S3_ACCESS_KEY_ID is not known/],
    ['nobody there', { S3_ENDPOINT: 'http://127.0.0.1:1' }, 'failed', /connection refused/],
  ])('says of %s what it is', async (_, different, status, detail) => {
    const { of } = await examined({ ...settings, ...different });
    expect(of('s3')).toMatchObject({ status, detail: expect.stringMatching(detail) });
  });

  it.each([
    ['locked', /^S3_SECRET_ACCESS_KEY is wrong \(403, SignatureDoesNotMatch\)/],
    ['elsewhere', /^S3_REGION: .*another region.*eu-west-1/],
  ])('signs what it asks, and reads why the bucket %s does not let it in', async (name, detail) => {
    const before = upstream.received.length;
    const { of, stdout } = await examined({
      ...settings,
      S3_ENDPOINT: upstream.url,
      S3_BUCKET: name,
      S3_SECRET_ACCESS_KEY: 'secret-of-the-store',
    });
    expect(of('s3')).toMatchObject({ status: 'failed', detail: expect.stringMatching(detail) });
    expect(stdout).not.toContain('secret-of-the-store');
    const [head] = upstream.received.slice(before);
    expect(head).toMatchObject({ method: 'HEAD', path: `/${name}` });
    expect(head?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*us-east-1\/s3\/aws4_request/);
  });
});
