import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { ConnectionBudget } from './connection-budget.service.js';
import { isCall, isManagement } from './is-call.js';
import { Load } from './load.service.js';
import { MemoryBudget } from './memory-budget.service.js';
import { RequestMemory } from './request-memory.js';
import { RoundRobin } from './round-robin.js';
import { shed } from './shed.js';

/**
 * Lets a request pass if there are a connection and memory for it, and a call at once or as soon as the process
 * keeps up; runs when it is known who asks, and before the body is read. What a request took is given back when
 * it is over.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  constructor(
    private readonly connections: ConnectionBudget,
    private readonly load: Load,
    private readonly memory: MemoryBudget,
    private readonly roundRobin: RoundRobin,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GatewayRequest>();
    const response = http.getResponse<Response>();
    const { caller, method } = request;
    // A caller may have left while its key was looked up.
    if (!caller || response.closed) return true;
    const account = caller.accountId;
    if (isManagement(request)) this.connections.hold(MANAGEMENT, response);
    else if (!this.connections.take(account, response)) throw shed(request, 'connections');
    if (!METHODS_WITH_BODY.has(method)) return true;
    if (!isCall(request)) return this.withMemory(request, response, MANAGEMENT);
    switch (this.load.decide(account)) {
      case 'never':
        throw shed(request, 'load');
      case 'later':
        return this.load.beginLater(account, response).then((begun) => {
          if (!begun && !response.closed) throw shed(request, 'load');
          return response.closed || this.withMemory(request, response, account);
        });
      case 'now':
        this.load.begin(account, response);
        return this.withMemory(request, response, account);
    }
  }

  private withMemory(request: GatewayRequest, response: Response, account: string): boolean {
    const lease = new RequestMemory(this.memory, request, account);
    response.once('close', () => {
      lease.end();
    });
    lease.begin(this.config.bodyLimitBytes);
    request.lease = lease;
    request.pass = () => this.passing(request, account);
    return true;
  }

  /** Rejects with GatewayError 503 for a call that has waited for too long; the management goes on. */
  private passing(request: GatewayRequest, account: string): Promise<void> | undefined {
    return this.roundRobin.pass(account)?.then((mayPass) => {
      if (mayPass || account === MANAGEMENT) return;
      this.load.shedBegun();
      throw shed(request, 'load');
    });
  }
}

/** Beside the accounts, so that an administrator whose own account has filled the memory can mend it. */
const MANAGEMENT = '';
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
