import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { RouteTable } from '../src/http/route-table.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import {
  ApiDocument,
  type Content,
  needsKey,
  type Operation,
  type Schema,
} from './support/openapi.js';

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

describe('the OpenAPI document', () => {
  let gateway: RunningGateway;
  let document: ApiDocument;
  beforeAll(async () => {
    gateway = await startGateway();
    document = await ApiDocument.of(gateway.url);
  });
  afterAll(() => gateway.close());

  /** The operations for which this is not so, by name, so that a failure says which. */
  const without = (test: (operation: Operation) => unknown) =>
    document.operations.filter((operation) => !test(operation)).map((each) => each.operationId);
  const schemas = (): Record<string, Schema> => document.json.components.schemas;

  it('is valid OpenAPI 3.1 of the interface 3.0.0', async () => {
    const validator = new Validator();
    expect(await validator.validate(document.json)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.json).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Causeway', version: '3.0.0' },
      servers: [{ url: '/' }],
    });
  });

  it('has every route that is served, and no other', () => {
    const served = gateway.app
      .get(RouteTable, { strict: false })
      .routes()
      // Addresses that an answer gives are followed, and nobody has to know how they are made.
      .filter(({ path }) => !/^\/(docs|metrics)(\/|$)|^\/v3\/images\/files\//.test(path))
      .flatMap(({ path, methods }) => methods.map((method) => `${method} ${inBraces(path)}`));
    const documented = document.operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    );
    expect(documented.sort()).toEqual(served.sort());
  });

  it('names and explains every operation', () => {
    const ids = document.operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(without(({ summary }) => summary)).toEqual([]);
    expect(without(({ description, summary }) => description && description !== summary)).toEqual(
      [],
    );
    expect(
      without(({ parameters }) =>
        parameters.every(({ description, schema }) => description && schema.type),
      ),
    ).toEqual([]);
  });

  it('sorts every operation under one tag that it explains', () => {
    const tags = document.json.tags.map(({ name }: { name: string }) => name);
    expect(tags).toEqual([
      ...['Messages', 'Chat', 'Responses', 'Routing', 'Images', 'Uploads', 'Embeddings', 'Models'],
      ...['Account', 'Management', 'Health'],
    ]);
    expect(document.json.tags.every((tag: any) => tag.description)).toBe(true);
    expect(without((each) => each.tags.length === 1 && tags.includes(each.tags[0]))).toEqual([]);
  });

  it('says of every operation how to send a key, or that none is needed', () => {
    expect(document.json.components.securitySchemes).toMatchObject({
      AuthBearer: { type: 'http', scheme: 'bearer' },
      ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
    const bearer = { AuthBearer: [] };
    const expected = ({ path, responses }: Operation) => {
      const ways = path.startsWith('/v3/v1/') ? [bearer, { ApiKey: [] }] : [bearer];
      // What the scope does not matter for is answered without a key as well.
      return 403 in responses ? ways : [{}, ...ways];
    };
    expect(
      without((each) => {
        const ways = 401 in each.responses ? expected(each) : [];
        return JSON.stringify(each.security) === JSON.stringify(ways);
      }),
    ).toEqual([]);
  });

  it('shows every request body with named examples', () => {
    const needsBody = ({ method }: Operation) => ['post', 'put', 'patch'].includes(method);
    expect(
      without((each) => {
        const [content] = Object.values(each.requestBody?.content ?? {});
        return needsBody(each) ? content?.schema.$ref && isShown(content) : !content;
      }),
    ).toEqual([]);
  });

  it('shows and explains every response, with its headers', () => {
    const responses = document.operations.flatMap((operation) =>
      Object.entries(operation.responses).map(([status, response]) => ({
        name: `${operation.operationId} ${status}`,
        status: Number(status),
        response,
        operation,
      })),
    );
    const wrong = (test: (each: (typeof responses)[number]) => unknown) =>
      responses.filter((each) => !test(each)).map(({ name }) => name);
    expect(wrong(({ response }) => response.description)).toEqual([]);
    expect(wrong(({ response }) => Object.values(response.content ?? {}).every(isShown))).toEqual(
      [],
    );
    expect(
      wrong(({ response, status }) => {
        if (status === 204) return !response.content;
        const { 'application/json': json } = response.content ?? {};
        return json?.schema.$ref ?? json?.schema.anyOf;
      }),
    ).toEqual([]);
    const has = (names: readonly string[]) => (each: (typeof responses)[number]) =>
      names.every((name) => name in each.response.headers);
    expect(wrong(has(['x-request-id', 'request-id']))).toEqual([]);
    expect(wrong((each) => !each.operation.path.startsWith('/v3') || has(LIMITS)(each))).toEqual(
      [],
    );
    expect(wrong((each) => each.status !== 401 || has(['WWW-Authenticate'])(each))).toEqual([]);
    expect(wrong((each) => each.status !== 429 || has(['Retry-After'])(each))).toEqual([]);
  });

  it('lists the errors that stand in front of every route', () => {
    const statuses = (each: Operation) => [
      ...(needsKey(each) ? [403, 503] : []),
      ...(each.path.startsWith('/v3') ? [401, 429] : []),
      500,
    ];
    expect(without((each) => statuses(each).every((status) => status in each.responses))).toEqual(
      [],
    );
  });

  it('answers errors in the shape of the family', () => {
    const shapes = document.operations.flatMap(({ path, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400 && path.startsWith('/v3'))
        .map(([status, { content }]) => {
          const family = errorOf(path, Number(status));
          const shape = status === '422' ? 'HTTPValidationError' : family;
          return [content?.['application/json']!.schema.$ref, `#/components/schemas/${shape}`];
        }),
    );
    expect(shapes.filter(([shape, expected]) => shape !== expected)).toEqual([]);
  });

  it('gives only examples that its own schemas accept', () => {
    const wrong: string[] = [];
    const judge = (place: readonly string[], value: unknown) =>
      wrong.push(...document.problems(place, value).map((problem) => `${place.join()}${problem}`));
    for (const { path, method, ...operation } of document.operations) {
      const contents: [string[], Content][] = [
        ...Object.entries(operation.requestBody?.content ?? {}).map(
          ([type, content]): [string[], Content] => [['requestBody', 'content', type], content],
        ),
        ...Object.entries(operation.responses).flatMap(([status, response]) =>
          Object.entries(response.content ?? {}).map(([type, content]): [string[], Content] => [
            ['responses', status, 'content', type],
            content,
          ]),
        ),
      ];
      for (const [place, { examples }] of contents) {
        for (const { value } of Object.values(examples)) {
          judge(['paths', path, method, ...place, 'schema'], value);
        }
      }
    }
    for (const [name, schema] of Object.entries(schemas())) {
      for (const [field, { example }] of Object.entries<Schema>(schema.properties ?? {})) {
        if (example === undefined) continue;
        judge(['components', 'schemas', name, 'properties', field], example);
      }
    }
    expect(wrong).toEqual([]);
  });
});

function errorOf(path: string, status: number): string {
  if (path.startsWith('/v3/v1/')) return 'AnthropicError';
  const isPlain = status < 500 && ![401, 402, 429].includes(status);
  return path.startsWith('/v3/upload') && isPlain ? 'DetailError' : 'OpenAIError';
}

function inBraces(path: string): string {
  return path.replace(/[*:](\w+)/g, '{$1}');
}

function isShown({ schema, examples }: Content): boolean {
  const shown = Object.values(examples ?? {});
  return schema !== undefined && shown.length > 0 && shown.every(({ summary }) => summary);
}
