import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveClock } from './support/clock.js';
import { FakeUpstream, type Received } from './support/fake-upstream.js';
import { streamEnd } from './support/fault-answers.js';
import { messageEvent } from './support/provider-answers.js';
import { useGateway } from './support/use-gateway.js';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
};
const ask = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] });

describe('a signing key of AWS', () => {
  const clouds = new FakeUpstream();
  const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'aws-secret' };
  const env: Record<string, string> = {
    ...keys,
    AWS_SESSION_TOKEN: 'a-session-token',
    AWS_REGION: 'eu-west-3',
  };
  beforeAll(async () => {
    await clouds.listen();
    env.BEDROCK_BASE_URL = `${clouds.url}/bedrock`;
  });
  afterAll(() => clouds.close());
  const { post } = useGateway(env);

  it('signs what is sent, and does not send its secret', async () => {
    clouds.replies(200, MESSAGE);
    const model = 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0';
    const answer = await post('/v3/v1/messages', ask(model));
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ cost: expect.any(Number) }),
    ]);
    const { headers, path, text } = clouds.last;
    expect(path).toContain('/bedrock/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0/');
    expect(headers['x-amz-security-token']).toBe('a-session-token');
    expect(headers.authorization).toBe(signed(clouds.last, 'eu-west-3', 'aws-secret'));
    expect(JSON.stringify(headers) + text).not.toContain('aws-secret');
  });

  it('is not told to the caller, whoever repeats it', async () => {
    const model = 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0';
    const told = await toldOf(clouds, () => post('/v3/v1/messages', ask(model)));
    for (const text of told) expect(text).toContain('Credential=[key]/');
    expect(told.join()).not.toMatch(/AKIDEXAMPLE|a-session-token|Signature=[\da-f]/);
  });

  it('sees a wrong signature refused as a fault of the gateway’s, not of the caller’s', async () => {
    clouds.replies(403, { message: 'The security token included in the request is invalid.' });
    const model = 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0';
    const { body } = await post('/v3/v1/messages', ask(model)).expect(502);
    expect(body.error.message).not.toContain('token');
  });
});

describe('a bearer key of AWS', () => {
  const clouds = new FakeUpstream();
  const env: Record<string, string> = { BEDROCK_API_KEY: 'bedrock-key', AWS_REGION: 'eu-west-3' };
  beforeAll(async () => {
    await clouds.listen();
    env.BEDROCK_BASE_URL = clouds.url;
  });
  afterAll(() => clouds.close());
  const { post } = useGateway(env);

  it('is sent as it is, and nothing is signed', async () => {
    clouds.replies(200, MESSAGE);
    await post(
      '/v3/v1/messages',
      ask('bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0'),
    ).expect(200);
    expect(clouds.last.headers.authorization).toBe('Bearer bedrock-key');
    expect(clouds.last.headers).not.toHaveProperty('x-amz-date');
  });
});

describe('an account of Google Cloud', () => {
  const clouds = new FakeUpstream();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const TOTAL_MS = 2_000;
  const env: Record<string, string> = {
    ...{ VERTEX_PROJECT: 'proj', VERTEX_REGION: 'us-east5' },
    UPSTREAM_TOTAL_TIMEOUT_MS: String(TOTAL_MS),
  };
  let folder: string;
  type Answer = [status: number, body: object];
  let token: () => Answer | Promise<Answer>;
  beforeAll(async () => {
    await clouds.listen();
    folder = await mkdtemp(join(tmpdir(), 'causeway-cloud-'));
    env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'key.json');
    env.VERTEX_BASE_URL = clouds.url;
    await writeFile(
      env.GOOGLE_APPLICATION_CREDENTIALS,
      JSON.stringify({
        type: 'service_account',
        client_email: 'gateway@proj.iam.gserviceaccount.com',
        private_key: key,
        token_uri: `${clouds.url}/token`,
      }),
    );
  });
  afterAll(async () => {
    await clouds.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { post } = useGateway(env);
  beforeEach(() => {
    // What the test before it was refused is forgotten.
    moveClock(60_000);
    clouds.received.length = 0;
    clouds.answers(async (response, { path }) => {
      const [status, body] = path === '/token' ? await token() : [200, MESSAGE];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  const asked = () => clouds.received.filter(({ path }) => path === '/token').length;

  it('that gets no token is a 502 with the reason, without the key, and calls nobody', async () => {
    token = () => [400, { error: 'invalid_grant', error_description: 'Invalid signature' }];
    const { body } = await post('/v3/v1/messages', ask('vertex/claude-opus-5')).expect(502);
    expect(body.error).toEqual({
      type: 'api_error',
      message: 'Google gave the gateway no access token (invalid_grant).',
    });
    expect(JSON.stringify(body)).not.toContain('PRIVATE');
    expect(clouds.received.every(({ path }) => path === '/token')).toBe(true);
  });

  it('asks for its token anew with each retry, and no more often', async () => {
    const model = 'vertex/claude-opus-5';
    token = () =>
      asked() === 1 ? [503, {}] : [200, { access_token: 'google-token', expires_in: 0 }];
    const { headers } = await post('/v3/v1/messages', ask(model)).expect(200);
    expect(headers['x-causeway-attempts']).toBe(`${model}:503, ${model}:ok`);
    expect(asked()).toBe(2);
    token = () => [503, {}];
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post('/v3/v1/messages', ask(model)).expect(502)),
    );
    const tries = answers.map((one) => one.headers['x-causeway-attempts']!.split(', ').length);
    expect(Math.max(...tries)).toBeLessThanOrEqual(3);
    // One for all of them, and one for each of the retries at most, of which there are four.
    expect(asked() - 2).toBeLessThanOrEqual(5);
  });

  it('is waited for no longer than a request may take', async () => {
    const answer = Promise.withResolvers<Answer>();
    token = () => answer.promise;
    const startedAt = performance.now();
    const { body } = await post('/v3/v1/messages', ask('vertex/claude-opus-5')).expect(504);
    expect(body.error.type).toBe('timeout_error');
    expect(performance.now() - startedAt).toBeLessThan(TOTAL_MS + 1_500);
    answer.resolve([400, { error: 'invalid_grant' }]);
    // Whoever asks until then waits for the same answer.
    await post('/v3/v1/messages', ask('vertex/claude-opus-5')).expect(502);
  });

  it('is proved by one token for many calls', async () => {
    token = () => [200, { access_token: 'google-token', expires_in: 3600 }];
    const calls = [1, 2, 3].map(() =>
      post('/v3/v1/messages', { ...ask('vertex/claude-opus-5'), max_tokens: 5 }).expect(200),
    );
    for (const { body } of await Promise.all(calls)) {
      expect(body.model).toBe('vertex/claude-opus-5');
    }
    expect(asked()).toBe(1);
    const { path, headers, body: sent } = clouds.last;
    expect(path).toBe(
      '/v1/projects/proj/locations/us-east5/publishers/anthropic/models/claude-opus-5:rawPredict',
    );
    expect(headers.authorization).toBe('Bearer google-token');
    expect(sent).toEqual({
      messages: ask('').messages,
      max_tokens: 5,
      anthropic_version: 'vertex-2023-10-16',
    });
  });

  it('has a token that callers are not told, whoever repeats it', async () => {
    token = () => [200, { access_token: 'google-token', expires_in: 3600 }];
    const asks = [ask('vertex/claude-opus-5'), { ...ask('vertex/claude-opus-5'), stream: true }];
    for (const body of asks) {
      const told = await toldOf(clouds, () => post('/v3/v1/messages', body));
      for (const text of told) expect(text).toContain('Bearer [key]');
      expect(told.join()).not.toContain('google-token');
    }
  });

  it('is of a project whose name is not told with a model that it lacks', async () => {
    const message = 'Publisher Model `projects/proj/locations/x/models/y` was not found.';
    clouds.replies(404, { error: { code: 404, message, status: 'NOT_FOUND' } });
    const { body } = await post('/v3/v1/messages', ask('vertex/gemini-2.5-flash')).expect(404);
    expect(body.error.message).toBe(message.replace('proj/', '[project]/'));
  });

  it('has its token replaced that is refused, once', async () => {
    token = () => [200, { access_token: `google-token-${asked()}`, expires_in: 3600 }];
    clouds.answers(async (response, { path, headers }) => {
      const isGood = headers.authorization === `Bearer google-token-${good}`;
      const [status, body] =
        path === '/token' ? await token() : isGood ? [200, MESSAGE] : [401, {}];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    const statuses = async (count: number) => {
      const all: number[] = [];
      for (let call = 0; call < count; call += 1) {
        all.push((await post('/v3/v1/messages', ask('vertex/claude-opus-5'))).status);
      }
      return all;
    };
    let good = 1;
    expect(await statuses(3)).toEqual([502, 200, 200]);
    good = 2;
    expect(await statuses(3)).toEqual([502, 502, 502]);
    expect(asked()).toBe(1);
  });
});

/** What callers hear of servers that repeat the headers of a call: in a refusal, and in an answer. */
async function toldOf(clouds: FakeUpstream, ask: () => PromiseLike<{ text: string }>) {
  const texts: string[] = [];
  for (const status of [400, 200]) {
    clouds.answers((response, { body, headers, path }) => {
      const message = JSON.stringify(headers);
      const answer = { ...MESSAGE, message };
      if (path === '/token') {
        response.end(JSON.stringify({ access_token: 'google-token', expires_in: 3600 }));
        return;
      }
      response.writeHead(status);
      if (status === 400) response.end(JSON.stringify({ message }));
      else if (body.stream)
        response.end(messageEvent('message_start', { message: answer }) + streamEnd());
      else response.end(JSON.stringify(answer));
    });
    texts.push((await ask()).text);
  }
  return texts;
}

/** The header that AWS would compute for what has arrived. */
function signed({ method, path, headers, text }: Received, region: string, secret: string): string {
  const names = 'host;x-amz-date;x-amz-security-token';
  const time = String(headers['x-amz-date']);
  const hash = (of: string) => createHash('sha256').update(of).digest('hex');
  const canonical = [
    method,
    path.split('/').map(encodeURIComponent).join('/'),
    '',
    ...names.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    names,
    hash(text),
  ].join('\n');
  const steps = [time.slice(0, 8), region, 'bedrock', 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', time, steps.join('/'), hash(canonical)].join('\n');
  const key = steps.reduce<string | Buffer>(
    (from, step) => createHmac('sha256', from).update(step).digest(),
    `AWS4${secret}`,
  );
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  const credential = `Credential=AKIDEXAMPLE/${steps.join('/')}`;
  return `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
}
