import { afterAll, beforeAll } from '@jest/globals';
import supertest from 'supertest';
import { FakeUpstream } from './fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './gateway.js';

/** A gateway whose OpenAI and Anthropic are one upstream that answers as told. */
export function useGateway(env: Record<string, string> = {}) {
  const upstream = new FakeUpstream();
  let gateway: RunningGateway;
  beforeAll(async () => {
    await upstream.listen();
    gateway = await startGateway({
      OPENAI_API_KEY: 'upstream-openai-key',
      OPENAI_BASE_URL: `${upstream.url}/openai/v1`,
      ANTHROPIC_API_KEY: 'upstream-anthropic-key',
      ANTHROPIC_BASE_URL: `${upstream.url}/anthropic`,
      ...env,
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });
  const post = (path: string, body: object | string) =>
    supertest(gateway.url)
      .post(path)
      .set('authorization', `Bearer ${API_KEY}`)
      .set('content-type', 'application/json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    upstream,
    post,
    get: (path: string) =>
      supertest(gateway.url).get(path).set('authorization', `Bearer ${API_KEY}`),
    get url() {
      return gateway.url;
    },
    get dataDir() {
      return gateway.dataDir;
    },
    get app() {
      return gateway.app;
    },
  };
}
