import { ADMIN_KEY, API_KEY, type RunningGateway, startGateway } from './gateway.js';
import { type TestEngine } from './databases.js';

/** An answer, with its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** A gateway on a new database of an engine, and the means to ask it something. */
export interface Asked extends RunningGateway {
  /** As an administrator, unless another key is given. */
  ask(route: string, body?: unknown, options?: AskOptions): Promise<Answer>;
  /** The same up to the answer's head; its body is read by the caller. */
  begin(route: string, body?: unknown, options?: AskOptions): Promise<Response>;
}

interface AskOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
}

/** Starts a gateway on a database of its own, or on one that others use too. */
export async function startAsked(
  engine: TestEngine,
  env: Record<string, string> = {},
): Promise<Asked> {
  return startAskedOn({ ...(await engine.fresh()), ...env });
}

/** Starts a gateway with these settings. */
export async function startAskedOn(env: Record<string, string>): Promise<Asked> {
  const gateway = await startGateway(env);
  const begin: Asked['begin'] = (...question) => beginAt(gateway.url, ...question);
  const ask: Asked['ask'] = async (...question) => {
    const response = await begin(...question);
    const { status, headers } = response;
    return { status, headers, body: await response.json() };
  };
  return { ...gateway, ask, begin };
}

/** How a provider is doing, as `GET /v3/admin/providers` of a gateway says. */
export async function providerAt(
  { ask: question }: Pick<Asked, 'ask'>,
  provider: string,
): Promise<any> {
  const { body } = await question('GET /v3/admin/providers');
  return body.data.find(({ name }: { name: string }) => name === provider);
}

/** Calls the sandbox with a key. */
export function callEcho(
  { ask: question }: Asked,
  key = API_KEY,
  headers: Record<string, string> = {},
  model = 'sandbox/echo',
): Promise<Answer> {
  const messages = [{ role: 'user', content: 'Hello' }];
  return question('POST /v3/chat/completions', { model, messages }, { key, headers });
}

function beginAt(
  url: string,
  route: string,
  body?: unknown,
  { key = ADMIN_KEY, headers = {}, signal }: AskOptions = {},
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  return fetch(url + path, {
    method,
    headers: {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}
