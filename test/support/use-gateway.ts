import { afterAll, beforeAll } from '@jest/globals';
import supertest from 'supertest';
import { type Asked, startAskedOn } from './admin.js';
import { FakeUpstream } from './fake-upstream.js';
import { API_KEY } from './gateway.js';

type Settings = Record<string, string>;

/** A gateway whose OpenAI and Anthropic are one upstream that answers as told. */
export function useGateway(env: Settings = {}) {
  return useGatewayBefore((url) => ({ ...usualProviders(url), ...env }));
}

/** The settings by which OpenAI and Anthropic are at this address. */
export function usualProviders(url: string): Settings {
  return {
    OPENAI_API_KEY: 'upstream-openai-key',
    OPENAI_BASE_URL: `${url}/openai/v1`,
    ANTHROPIC_API_KEY: 'upstream-anthropic-key',
    ANTHROPIC_BASE_URL: `${url}/anthropic`,
  };
}

/**
 * A gateway before one upstream that answers as told.
 *
 * @param settings makes the gateway's settings for the address of the upstream.
 */
export function useGatewayBefore(
  settings: (url: string) => Settings,
  upstream = new FakeUpstream(),
) {
  let gateway: Asked;
  beforeAll(async () => {
    await upstream.listen();
    gateway = await startAskedOn(settings(upstream.url));
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
    /** As an administrator, unless another key is given. */
    ask: (...question: Parameters<Asked['ask']>) => gateway.ask(...question),
    begin: (...question: Parameters<Asked['begin']>) => gateway.begin(...question),
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
