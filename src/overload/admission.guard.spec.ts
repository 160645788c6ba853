import { afterEach, expect, it, jest } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { type Config } from '../config/config.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { RunningRequests } from '../http/running-requests.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { AdmissionGuard } from './admission.guard.js';
import { ConnectionBudget } from './connection-budget.service.js';
import { Load } from './load.service.js';
import { MemoryBudget } from './memory-budget.service.js';
import { RoundRobin } from './round-robin.js';

const MB = 1024 * 1024;

afterEach(() => {
  jest.restoreAllMocks();
});

it('refuses a call that has waited for too long, and nothing of the management', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const metrics = new Metrics();
  const config = { maxBufferedBytes: 64 * MB, bodyLimitBytes: MB, workers: 1 } as Config;
  const roundRobin = new RoundRobin();
  const load = new Load(metrics, undefined as never, roundRobin);
  const connections = new ConnectionBudget(config, new RunningRequests(), metrics);
  const memory = new MemoryBudget(config, metrics);
  const guard = new AdmissionGuard(connections, load, memory, roundRobin, config);
  const arrived = (url: string): GatewayRequest => {
    const caller = { accountId: 'a' };
    const request = { method: 'POST', url, headers: { 'content-length': '9' }, log: {}, caller };
    const http = {
      getRequest: () => request,
      getResponse: () => Object.assign(new EventEmitter(), { req: request }),
    };
    expect(guard.canActivate({ switchToHttp: () => http } as unknown as ExecutionContext)).toBe(
      true,
    );
    return request as unknown as GatewayRequest;
  };
  const shed = 'causeway_shed_requests_total{reason="load"}';
  // An alert for its growth has to see the first one, too.
  expect(await metrics.registry.metrics()).toContain(`${shed} 0`);
  const [call, managing] = [arrived('/v3/v1/messages'), arrived('/v3/admin/accounts')];
  expect(call.pass?.()).toBeUndefined();
  clock.mockReturnValue(6);
  const [refused, going] = [call.pass?.(), managing.pass?.()];
  clock.mockReturnValue(1_100);
  roundRobin.sendAway(1_000, 2);
  await expect(refused).rejects.toMatchObject({ status: 503, details: { retryAfter: 1 } });
  await expect(going).resolves.toBeUndefined();
  expect(call.log.shed).toBe('load');
  expect(await metrics.registry.metrics()).toContain(`${shed} 1`);
});
