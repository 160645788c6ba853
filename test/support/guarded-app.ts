import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type AddressInfo } from 'node:net';
import { AccountsModule } from '../../src/accounts/accounts.module.js';
import { ApiKeys } from '../../src/accounts/api-keys.service.js';
import { type NewKey } from '../../src/accounts/stored-key.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { readConfig } from '../../src/config/read-config.js';
import { Database } from '../../src/database/database.service.js';
import { Public, RequireScope } from '../../src/http/access.js';
import { GatewayErrorFilter } from '../../src/http/gateway-error.filter.js';
import { type GatewayRequest } from '../../src/http/gateway-request.js';
import { requestId } from '../../src/http/request-id.js';
import { RouteTable } from '../../src/http/route-table.js';
import { type DatabaseSettings } from './databases.js';

@Controller()
class EchoController {
  @Post('v3/embeddings')
  @HttpCode(200)
  embeddings(@Req() request: GatewayRequest) {
    return { key: request.caller?.keyId };
  }

  @Post('v3/v1/messages')
  @HttpCode(200)
  messages(@Req() request: GatewayRequest) {
    return { key: request.caller?.keyId };
  }

  @Get('v3/models')
  @Public()
  models(@Req() request: GatewayRequest) {
    return { key: request.caller?.keyId ?? null };
  }

  @Get('v3/admin/accounts')
  @RequireScope('admin')
  accounts() {
    return {};
  }

  @Get('health/live')
  @Public()
  live() {
    return {};
  }
}

export const CAUSEWAY_ADMIN_KEY = 'an-admin-key-of-the-operators-own';
export const CAUSEWAY_API_KEY = 'an-api-key-of-the-operators-own';

/** Routes of every kind behind the real guards, and the means to call them. */
export async function guardedApp(settings: DatabaseSettings & Record<string, string>) {
  const config = readConfig({ CAUSEWAY_ADMIN_KEY, CAUSEWAY_API_KEY, ...settings });
  const module = await Test.createTestingModule({
    imports: [ConfigModule.with(config), AccountsModule],
    controllers: [EchoController],
    providers: [RouteTable, { provide: APP_FILTER, useClass: GatewayErrorFilter }],
  }).compile();
  const app = module.createNestApplication();
  app.useLogger(false);
  app.use(requestId);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const call = async (
    route: string,
    { key, ...headers }: Record<string, string> & { key?: string } = {},
  ) => {
    const [method, path] = route.split(' ') as [string, string];
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      ...(method === 'POST' && { body: '{not json' }),
    });
    const body: unknown = await response.json();
    const ms = performance.now() - startedAt;
    return { status: response.status, headers: response.headers, body: body as never, ms };
  };
  const create = (different: Partial<NewKey> = {}) =>
    app.get(Database).write((transaction) =>
      app.get(ApiKeys).create(transaction, {
        ...{ accountId: 'acc_default', name: 'k', type: 'live', scopes: ['inference'] },
        ...different,
      }),
    );
  return { app, port, call, create };
}

export type GuardedApp = Awaited<ReturnType<typeof guardedApp>>;
