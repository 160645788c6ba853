import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Response } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { type Answer } from '../contract/answer.js';
import { type ErrorFamily, familyOf } from '../contract/error-family.js';
import { GatewayError } from '../contract/gateway-error.js';
import { reasonOf } from '../contract/reason-of.js';
import { errorEvent } from './error-bodies.js';
import { type GatewayRequest } from './gateway-request.js';
import { drained } from './stalled-reader.js';

/** What is sent in a silence: an event that Anthropic's clients know, a comment for the others. */
const PINGS: Readonly<Record<ErrorFamily, string>> = {
  anthropic: 'event: ping\ndata: {"type":"ping"}\n\n',
  openai: ': ping\n\n',
  fastapi: ': ping\n\n',
};

/** Writes answers at the caller's own pace: whole bodies, and streams event by event. */
@Injectable()
export class AnswerWriter {
  private readonly logger = new Logger(AnswerWriter.name);

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** A caller who takes nothing for too long is cut, behind the end of an answer by `cutUnread`. */
  async write(response: Response, answer: Answer): Promise<void> {
    // The gateway may have answered in the meantime that it stops.
    if (response.headersSent) return leaveUnread(answer.body);
    response.set(answer.headers);
    // Also of a caller who leaves before everything was sent: then nothing is read of it any more.
    if (answer.free) response.once('close', answer.free);
    if (isWhole(answer.body)) writeWhole(response, answer.body);
    else await this.writeStream(response, answer.body);
    if (response.closed) answer.free?.();
  }

  private async writeStream(response: Response, events: AsyncIterable<Buffer>): Promise<void> {
    const request = response.req as GatewayRequest;
    const family = familyOf(request.path);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      connection: response.get('connection') ?? (mayGoOn(response) ? 'keep-alive' : 'close'),
      'x-accel-buffering': 'no',
    });
    response.socket?.setNoDelay(true);
    const silence = setInterval(() => {
      if (response.writableEnded) return;
      if (response.writableLength === 0) response.write(PINGS[family]);
    }, this.config.streamPingMs);
    const sent: { first?: Buffer; last?: Buffer } = {};
    request.breakOff = (error) => {
      response.end(errorEvent(error, request, sent));
    };
    try {
      for await (const event of events) {
        if (response.destroyed || response.writableEnded) break;
        sent.first ??= event;
        sent.last = event;
        silence.refresh();
        if (response.write(event)) continue;
        request.lease?.forReader(response.writableLength);
        await drained(response, this.config.streamStallMs);
        request.lease?.forReader(0);
      }
    } catch (error) {
      if (response.writableEnded) return;
      this.report(error, response);
      if (!response.destroyed) response.write(errorEvent(toGatewayError(error), request, sent));
    } finally {
      clearInterval(silence);
      delete request.breakOff;
      response.end();
    }
  }

  /** What broke a stream off; not that its caller has left. */
  private report(error: unknown, response: Response): void {
    if (response.destroyed && !(error instanceof GatewayError)) return;
    const request = response.req as GatewayRequest;
    const cause = error instanceof GatewayError ? error.details.cause : error;
    this.logger.warn({ requestId: request.id, error: String(error), cause: reasonOf(cause) });
  }
}

function writeWhole(response: Response, pieces: readonly Buffer[]): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  });
  // Small pieces are cheaper to copy than to write one by one; large ones are not.
  if (length < 65_536) response.end(Buffer.concat(pieces, length));
  else {
    response.cork();
    for (const piece of pieces) response.write(piece);
    response.uncork();
    response.end();
  }
}

/** Whether a connection outlives a stream, whose end it is in HTTP/1.0, which has no chunks. */
function mayGoOn(response: Response): boolean {
  return response.shouldKeepAlive && response.useChunkedEncodingByDefault;
}

/** Has a stream settled that nobody reads; before its first step it would not hear of its end. */
async function leaveUnread(body: Answer['body']): Promise<void> {
  if (isWhole(body)) return;
  const events = body[Symbol.asyncIterator]();
  await events.next();
  await events.return?.();
}

function isWhole(body: Answer['body']): body is readonly Buffer[] {
  return Array.isArray(body);
}

function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError(500, 'internal_error', 'Internal error', { cause: error });
}
