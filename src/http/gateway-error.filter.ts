import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
} from '@nestjs/common';
import { type Response } from 'express';
import { GatewayError } from '../contract/gateway-error.js';
import { reasonOf } from '../contract/reason-of.js';
import { type GatewayRequest } from './gateway-request.js';
import { CallerLeft } from './request-context.js';
import { RouteTable } from './route-table.js';
import { writeError } from './write-error.js';

/** Turns whatever was thrown into the error body that the path's clients read. */
@Catch()
export class GatewayErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(GatewayErrorFilter.name);

  constructor(private readonly routes: RouteTable) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<GatewayRequest>();
    const response = http.getResponse<Response>();
    const error = this.toGatewayError(thrown, request);
    if (error.status >= 500 && !(thrown instanceof CallerLeft)) this.report(error, request);
    if (response.destroyed || response.writableEnded) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    writeError(response, error);
  }

  private toGatewayError(thrown: unknown, { method, path }: GatewayRequest): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    const status = thrown instanceof HttpException ? thrown.getStatus() : statusOf(thrown);
    if (status === 404) return this.routes.missing(method, path);
    if (status !== undefined && status < 500) {
      return new GatewayError(status, 'invalid_request', 'The request is malformed.');
    }
    return new GatewayError(500, 'internal_error', 'Internal error', { cause: thrown });
  }

  /** What went wrong inside goes to the log only; the caller's request id finds it there. */
  private report(error: GatewayError, { id }: GatewayRequest): void {
    const { cause } = error.details;
    const fields = {
      requestId: id,
      error: error.message,
      ...(cause instanceof Error && { cause: reasonOf(cause) }),
    };
    if (error.code !== 'internal_error') this.logger.warn(fields);
    else this.logger.error(fields, cause instanceof Error ? cause.stack : undefined);
  }
}

/** Express marks its own errors, such as a path that cannot be decoded, with a status. */
function statusOf(thrown: unknown): number | undefined {
  const { status } = (thrown ?? {}) as { status?: unknown };
  return typeof status === 'number' && status >= 400 ? status : undefined;
}
