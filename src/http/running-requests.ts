import { Injectable } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { GatewayError } from '../contract/gateway-error.js';
import { type FirstStep } from './before-express.js';
import { type GatewayRequest } from './gateway-request.js';
import { writeError } from './write-error.js';

/** Every part of the gateway that ends something with a request listens for the end of its response. */
const MOST_LISTENERS = 30;

/** The requests that are being answered. */
@Injectable()
export class RunningRequests {
  private readonly running = new Set<ServerResponse>();

  get count(): number {
    return this.running.size;
  }

  /** Keeps the list. */
  readonly track: FirstStep = (_request, response, next) => {
    this.running.add(response);
    response.setMaxListeners(MOST_LISTENERS);
    response.once('close', () => this.running.delete(response));
    next();
  };

  /**
   * Ends every request now: a stream with an error event, another one with 503. Their calls are
   * broken off and paid for, as if the callers had hung up.
   */
  interrupt(): void {
    for (const response of this.running) {
      const request = response.req as GatewayRequest;
      const error = stopping();
      if (request.breakOff) request.breakOff(error);
      else if (!response.headersSent) writeError(response, error);
      request.leave?.(error);
    }
  }
}

function stopping(): GatewayError {
  const message = 'The gateway is being stopped, and this took too long. Send the request again.';
  return new GatewayError(503, 'shutting_down', message, { close: true });
}
