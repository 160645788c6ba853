import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from './support/fake-upstream.js';
import { ERROR_CODES } from '../src/contract/gateway-error.js';
import { Database } from '../src/database/database.service.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import {
  ApiDocument,
  keysOf,
  needsKey,
  type Operation,
  requestExamples,
  send,
} from './support/openapi.js';

/** What no quick request brings about: no credit, half a body, region, fault of our own, full disk. */
const NOT_BROUGHT_ABOUT = ['402', '408', '451', '500', '507'];
/** What a provider's status becomes; 529 is known to Anthropic's clients only. */
const PROVIDER_FAILURES = {
  400: 400,
  404: 404,
  409: 409,
  413: 413,
  429: 429,
  500: 502,
  504: 504,
  529: 529,
};
const UPSTREAM_MODELS: Record<string, string> = {
  createEmbeddings: 'openai/text-embedding-3-small',
  generateImages: 'openai/gpt-image-1',
  editImages: 'openai/gpt-image-1',
};

describe('the answers, by the OpenAPI document', () => {
  const upstream = new FakeUpstream();
  const seen = new Set<string>();
  let gateway: RunningGateway;
  let limited: RunningGateway;
  let homeless: RunningGateway;
  /** Has no provider's key: what is shown must work there. */
  let bare: RunningGateway;
  let document: ApiDocument;

  beforeAll(async () => {
    await upstream.listen();
    [gateway, limited, homeless, bare] = await Promise.all([
      startGateway({
        BODY_LIMIT_BYTES: '4096',
        OPENAI_API_KEY: 'upstream-key',
        OPENAI_BASE_URL: `${upstream.url}/v1`,
      }),
      startGateway({ RATE_LIMIT: '1/m' }),
      startGateway({ DATABASE_URL: 'postgres://127.0.0.1:1/nobody' }),
      startGateway({ ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }),
    ]);
    document = await ApiDocument.of(gateway.url);
    for (const each of [gateway, bare]) await haveWhatExamplesName(each);
  });
  afterAll(async () => {
    await Promise.all([gateway, limited, homeless, bare, upstream].map((server) => server.close()));
  });

  /** A key and a request by the ids that the documentation gives as examples. */
  const haveWhatExamplesName = async ({ app, url }: RunningGateway) => {
    const exampleOf = (operationId: string) =>
      document.operation(operationId).parameters.find((parameter) => parameter.in === 'path')!
        .schema.example as string;
    const made = await send(url, document.operation('createKey'));
    const { id }: any = await made.json();
    await app.get(Database).write((transaction) =>
      transaction
        .updateTable('api_keys')
        .set({ id: exampleOf('changeKey') })
        .where('id', '=', id)
        .execute(),
    );
    const headers = { 'x-request-id': exampleOf('getRequest') };
    await send(url, document.operation('createMessage'), { headers });
  };

  /** Files have ids of the gateway's own, so one is given that of the examples. */
  const haveTheFile = async () => {
    const { file_id }: any = await (
      await send(gateway.url, document.operation('uploadFile'))
    ).json();
    const { schema } = document
      .operation('getFile')
      .parameters.find(({ name }) => name === 'file_id')!;
    await gateway.app.get(Database).write(async (transaction) => {
      await transaction.deleteFrom('uploads').where('id', '=', schema.example).execute();
      await transaction
        .updateTable('uploads')
        .set({ id: schema.example })
        .where('id', '=', file_id)
        .execute();
    });
  };

  /** Notes what was answered and returns what the document has against it, or against the status. */
  const judge = async (operation: Operation, status: number, answer: Promise<Response>) => {
    const response = await answer;
    seen.add(`${operation.operationId} ${response.status}`);
    const wrong = await document.contradictions(operation, response);
    if (response.status !== status) wrong.push(`${response.status} is not ${status}`);
    return wrong.map((problem) => `${operation.operationId} ${status}: ${problem}`);
  };
  const each = async (
    operations: readonly Operation[],
    status: number,
    ask: (operation: Operation) => Promise<Response>,
  ) => {
    const wrong: string[] = [];
    for (const operation of operations)
      wrong.push(...(await judge(operation, status, ask(operation))));
    expect(operations.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  };
  const having = (test: (operation: Operation) => unknown) => document.operations.filter(test);
  const guarded = () => having(needsKey);
  const withBody = () => having(({ requestBody }) => requestBody);
  const callsOfModels = () =>
    withBody().filter(
      ({ operationId, ...each }) =>
        operationId !== 'planRoute' && requestExamples({ operationId, ...each })[0]![1].model,
    );
  const isAnthropic = ({ path }: Operation) => path.startsWith('/v3/v1/');
  const isUpload = ({ path }: Operation) => path.startsWith('/v3/upload');

  it('answers every operation that takes no body', async () => {
    const reads = having(({ requestBody }) => !requestBody);
    await each(reads, 200, async (operation) => {
      if (operation.path.includes('{file_id}')) await haveTheFile();
      return send(gateway.url, operation);
    });
    await each([document.operation('listModels')], 200, (operation) =>
      send(gateway.url, operation, { path: '/v3/models?view=models' }),
    );
  });

  it('answers every example of a request with 200, and a stream where it asks for one', async () => {
    for (const operation of withBody()) {
      for (const [, body] of requestExamples(operation)) {
        const status = '204' in operation.responses ? 204 : 200;
        await each([operation], status, async () => {
          const response = await send(bare.url, operation, { body });
          if (status === 204) return response;
          const type = body.stream ? 'text/event-stream' : 'application/json';
          expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
          return response;
        });
      }
    }
  });
  it('tells how a call was served where a header asks for it', async () => {
    const calls = having(({ parameters }) =>
      parameters.some(({ name }) => name === 'x-causeway-metadata'),
    );
    expect(calls.length).toBe(6);
    for (const operation of calls) {
      const headers = { 'x-causeway-metadata': 'enabled' };
      const answer: any = await (await send(bare.url, operation, { headers })).json();
      const place = ['components', 'schemas', 'CallMetadata'];
      expect(document.problems(place, answer.causeway_metadata)).toEqual([]);
    }
  });

  it('streams what the examples of streams show', async () => {
    for (const operation of having(({ responses }) => streamExample(responses['200']))) {
      const [, body] = requestExamples(operation).find(([, example]) => example.stream)!;
      const text = await (await send(bare.url, operation, { body })).text();
      expect(eventKinds(text)).toEqual(eventKinds(streamExample(operation.responses['200'])!));
    }
  });

  it('refuses a missing key, and one that may not do this', async () => {
    await each(guarded(), 401, (operation) => send(gateway.url, operation, { key: '' }));
    await each(guarded(), 403, (operation) =>
      send(gateway.url, operation, { key: keysOf(operation).wrong }),
    );
  });

  it('refuses a key that has ended also where none is needed', async () => {
    const [made, revoked] = ['createKey', 'revokeKey'].map((id) => document.operation(id));
    const { id, key }: any = await (await send(gateway.url, made!)).json();
    await send(gateway.url, revoked!, { path: `/v3/admin/keys/${id}` });
    const open = having((each) => each.path.startsWith('/v3') && !needsKey(each));
    await each(open, 401, (operation) => send(gateway.url, operation, { key }));
    await each(open, 200, (operation) => send(gateway.url, operation, { key: 'unheard-of' }));
  });

  it('refuses bodies that are wrong, too large or not readable', async () => {
    const anthropic = withBody().filter(isAnthropic);
    const openai = withBody().filter((each) => !isAnthropic(each) && !isUpload(each));
    const uploads = withBody().filter(isUpload);
    const model = 'claude';
    await each(anthropic, 422, (operation) => send(gateway.url, operation, { body: {} }));
    await each(anthropic, 400, (operation) =>
      send(gateway.url, operation, { body: { model, messages: [] } }),
    );
    await each(uploads, 422, (operation) => send(gateway.url, operation, { body: {} }));
    const boundary = { 'content-type': 'multipart/form-data; boundary=x' };
    await each([document.operation('uploadFile')], 400, (operation) =>
      send(gateway.url, operation, { headers: boundary, body: 'x' }),
    );
    await each([document.operation('deleteFiles')], 400, (operation) =>
      send(gateway.url, operation, { headers: { 'content-encoding': 'gzip' }, body: 'x' }),
    );
    await each(openai, 400, (operation) =>
      send(gateway.url, operation, { body: { unexpected: true } }),
    );
    await each(withBody(), 413, (operation) =>
      send(gateway.url, operation, { body: ' '.repeat(5000) }),
    );
    await each(withBody(), 415, (operation) =>
      send(gateway.url, operation, { headers: { 'content-encoding': 'zstd' } }),
    );
  });

  it('refuses queries and paths that are wrong', async () => {
    await each([document.operation('listAnthropicModels')], 400, (operation) =>
      send(gateway.url, operation, { path: '/v3/v1/models?limit=0' }),
    );
    const wrong = { limit: 'limit=0', from: 'from=soon' };
    for (const [name, query] of Object.entries(wrong)) {
      const asked = having(({ parameters }) => parameters.some((each) => each.name === name));
      const strict = asked.filter((operation) => !isUpload(operation));
      await each(strict, 400, (operation) =>
        send(gateway.url, operation, {
          path: `${operation.path.replace('{id}', 'acc_default')}?${query}`,
        }),
      );
    }
    await each([document.operation('listFiles')], 422, (operation) =>
      send(gateway.url, operation, { path: '/v3/upload?limit=0' }),
    );
    const named = having(({ path }) => path.includes('{'));
    const instead = (path: string, id: string) => path.replace(/\{\w+\}/, id);
    await each(named, 400, (operation) =>
      send(gateway.url, operation, { path: instead(operation.path, '%zz') }),
    );
    await each(named, 404, (operation) => {
      const kind = operation.path.includes('models/') ? 'sandbox/nope' : 'nope';
      const id = isUpload(operation) ? '00000000-0000-0000-0000-000000000000' : kind;
      return send(gateway.url, operation, { path: instead(operation.path, id) });
    });
  });

  it('refuses ids of files that are no ids', async () => {
    const named = having((each) => isUpload(each) && each.path.includes('{'));
    await each(named, 422, (operation) =>
      send(gateway.url, operation, { path: '/v3/upload/nope' }),
    );
  });

  it('refuses another grant under the same idempotency key', async () => {
    const grant = document.operation('grantCredits');
    const headers = { 'idempotency-key': 'once' };
    await each([grant], 200, () => send(bare.url, grant, { headers }));
    await each([grant], 409, () => send(bare.url, grant, { headers, body: { amount: 3 } }));
  });

  it('refuses feedback on a request that does not exist', async () => {
    const body = { request_id: 'nope', score: 1 };
    await each([document.operation('giveFeedback')], 404, (operation) =>
      send(gateway.url, operation, { body }),
    );
  });

  it('shows refusals in the words in which they are told', async () => {
    const told = async (id: string, status: number, body: object) => {
      const { content } = document.operation(id).responses[status]!;
      const { examples } = content!['application/json']!;
      const response = await send(gateway.url, document.operation(id), { body });
      expect(Object.values(examples).map(({ value }) => value)).toContainEqual(
        await response.json(),
      );
    };
    await told('giveFeedback', 400, { request_id: 'nope', score: 2 });
    await told('uploadFile', 415, { file: '\u0001\u0002' });
  });

  it('refuses models that do not exist', async () => {
    await each([document.operation('planRoute')], 404, (operation) =>
      send(gateway.url, operation, { body: exampleWith(operation, 'sandbox/nope') }),
    );
    await each(callsOfModels(), 404, (operation) =>
      send(gateway.url, operation, { body: exampleWith(operation, 'sandbox/nope') }),
    );
  });

  it.each(Object.entries(PROVIDER_FAILURES))(
    'passes on what a provider answers with %s',
    async (from, to) => {
      const final = { 'x-should-retry': 'false', 'retry-after': '40' };
      upstream.replies(Number(from), { error: { message: 'No.', type: 'some_error' } }, final);
      // At once: some are asked again after a second.
      const calls = callsOfModels().map((operation) => {
        // A provider that is down does not fail a count: it is estimated.
        const counts = operation.operationId === 'countMessageTokens' && to >= 500;
        const status = counts ? 200 : to === 529 && !isAnthropic(operation) ? 503 : to;
        const model = UPSTREAM_MODELS[operation.operationId] ?? `sandbox/error-${from}`;
        return each([operation], status, () =>
          send(gateway.url, operation, { body: exampleWith(operation, model) }),
        );
      });
      await Promise.all(calls);
    },
  );

  it('hides that a provider refused the key of the gateway', async () => {
    upstream.replies(401, { error: { message: 'Bad key.', type: 'authentication_error' } });
    await each([document.operation('countMessageTokens')], 502, (operation) =>
      send(gateway.url, operation, { body: exampleWith(operation, 'sandbox/error-401') }),
    );
  });

  it('limits the rate of every operation under /v3', async () => {
    const counted = having(({ path }) => path.startsWith('/v3/'));
    await send(limited.url, document.operation('listModels'));
    await each(counted, 429, (operation) => send(limited.url, operation));
  });

  it('says that it cannot serve while the database is away', async () => {
    await each(guarded(), 503, (operation) => send(homeless.url, operation));
    await each([document.operation('checkReadiness')], 503, (operation) =>
      send(homeless.url, operation),
    );
  });

  it('says of every body that it may come too slowly, and of every reason that it may be told', () => {
    const silent = withBody().filter(({ responses }) => !responses['408']);
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
    const text = JSON.stringify(document.json.components.schemas.OpenAIErrorDetail);
    expect(ERROR_CODES.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });

  it('has been asked for every status that the document promises', () => {
    const promised = document.operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => !NOT_BROUGHT_ABOUT.includes(status))
        .map((status) => `${operationId} ${status}`),
    );
    expect(promised.filter((answer) => !seen.has(answer))).toEqual([]);
  });
});

function exampleWith(operation: Operation, model: string): object {
  return { ...requestExamples(operation)[0]![1], model };
}

function streamExample(response?: Operation['responses'][string]): string | undefined {
  const [example] = Object.values(response?.content?.['text/event-stream']?.examples ?? {});
  return example?.value;
}

/** The kinds of events in a stream, each once: their names, or the keys of a chunk's choices. */
function eventKinds(stream: string): string[] {
  const kinds = stream
    .trim()
    .split('\n\n')
    .map((frame) => {
      const data = frame.slice(frame.indexOf('data: ') + 6);
      if (data === '[DONE]') return data;
      const { type, choices, cost } = JSON.parse(data);
      return type ?? `${choices.length} choices${cost === undefined ? '' : ' and a cost'}`;
    });
  return [...new Set(kinds)];
}
