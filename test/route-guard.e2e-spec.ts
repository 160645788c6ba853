import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import { PUBLIC_ROUTE } from '../src/http/access.js';
import { RouteTable } from '../src/http/route-table.js';
import { type RunningGateway, startGateway } from './support/gateway.js';

/** What answers without a key. A route that is added here is open to everyone. */
const PUBLIC = [
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'GET /v3/embeddings/models',
  'GET /v3/images/files/:name',
  'GET /v3/models',
  'GET /v3/models/*id',
];
/** Served beside the controllers, by Swagger. */
const DOCUMENTATION = /^\/docs(\/|$)/;

describe('every registered route', () => {
  let gateway: RunningGateway;
  let routes: { method: string; path: string }[];
  beforeAll(async () => {
    gateway = await startGateway();
    routes = gateway.app
      .get(RouteTable, { strict: false })
      .routes()
      .filter(({ path }) => !DOCUMENTATION.test(path))
      .flatMap(({ path, methods }) => methods.map((method) => ({ method, path })));
  });
  afterAll(() => gateway.close());

  it('asks for a key unless it is on the list', async () => {
    const open: string[] = [];
    for (const { method, path } of routes) {
      const address = gateway.url + path.replace(/\*\w+/, 'sandbox/echo').replace(/:\w+/g, 'x');
      const { status, headers } = await fetch(address, { method });
      if (status === 401 && headers.get('www-authenticate') === 'Bearer') continue;
      open.push(`${method} ${path}`);
    }
    expect(routes.length).toBeGreaterThan(PUBLIC.length);
    expect(open.sort()).toEqual(PUBLIC);
  });

  it('is met in its own letters alone, as who hides one in a proxy expects', async () => {
    for (const { method, path } of routes) {
      const address = path.replace(/\*\w+/, 'sandbox/echo').replace(/:\w+/g, 'x').toUpperCase();
      const { status } = await fetch(gateway.url + address, { method });
      expect([method, address, status]).toEqual([method, address, 404]);
    }
  });

  it('is on the list if it is marked public', () => {
    const controllers = [...gateway.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const marked = controllers.flatMap(({ metatype }) => {
      const controller = metatype as new () => object;
      const base = String(Reflect.getMetadata(PATH_METADATA, controller));
      const { prototype } = controller as { prototype: Record<string, object> };
      return new MetadataScanner()
        .getAllMethodNames(prototype)
        .map((name) => prototype[name]!)
        .filter((handler) => Reflect.hasMetadata(PATH_METADATA, handler))
        .filter(
          (handler) =>
            Reflect.getMetadata(PUBLIC_ROUTE, handler) ??
            Reflect.getMetadata(PUBLIC_ROUTE, controller),
        )
        .map((handler) => {
          const method = RequestMethod[Number(Reflect.getMetadata(METHOD_METADATA, handler))];
          const path = String(Reflect.getMetadata(PATH_METADATA, handler));
          return `${method} /${[base, path].filter((part) => part !== '/').join('/')}`;
        });
    });
    expect(marked.sort()).toEqual(PUBLIC);
  });
});
