import { Injectable } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { type Target, type UpstreamCall } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { readReply } from '../upstream/read-reply.js';
import { frames } from '../upstream/frames.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { type Call } from './call.js';
import { forwardedHeaders } from './headers.js';
import { type Batches } from './server-events.js';
import { Settlement } from './settlement.js';
import { brokenAnswer, failureInside, failureOf } from './upstream-failure.js';

/** Sends calls for a request, covered by a hold, and keeps the list of its tries. */
@Injectable()
export class Exchange {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly settlement: Settlement,
  ) {}

  /**
   * Sends one call and waits for the head of a good answer.
   *
   * @throws GatewayError for every other answer, and what the upstream client throws.
   */
  async open(call: Call, target: Target, upstreamCall: UpstreamCall): Promise<IncomingAnswer> {
    const { provider } = target.connection;
    const answer = await this.upstream.send(target.connection, upstreamCall, {
      signal: call.context.signal,
      stream: upstreamCall.framing !== 'none',
      sandboxed: call.context.caller.keyType === 'sandbox',
      headers: forwardedHeaders(call, target),
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const reply = await readReply(answer);
    throw failureOf(provider.name, reply, provider.decodeError(reply));
  }

  /**
   * Sends one call whose answer is a stream of events.
   *
   * @throws GatewayError also for a whole JSON body, which is an error dressed as success.
   */
  async openStream(call: Call, target: Target, upstreamCall: UpstreamCall): Promise<Batches> {
    const answer = await this.open(call, target, upstreamCall);
    if (!answer.headers['content-type']?.startsWith('application/json')) {
      return frames(upstreamCall.framing, answer.body);
    }
    const { provider } = target.connection;
    const error = provider.decodeError(await readReply(answer));
    throw error ? failureInside(provider.name, error) : brokenAnswer(provider.name);
  }

  /**
   * Notes the try that `work` makes, with how it ended and how long it took. Before it begins, the
   * most that it may cost is set aside.
   *
   * @throws GatewayError 402 when there is not that much, and what `work` throws.
   */
  async tried<T>(call: Call, target: Target, work: () => Promise<T>): Promise<T> {
    await this.settlement.hold(call, target);
    call.context.signal.throwIfAborted();
    call.running = target;
    const { model } = target;
    const startedAt = performance.now();
    const note = (status: number): void => {
      const ms = Math.round(performance.now() - startedAt);
      call.attempts.push({ model: model.id, provider: model.provider, status, ms });
    };
    try {
      const result = await work();
      note(200);
      return result;
    } catch (error) {
      // The provider may go on with what nobody waits for, and charge for it.
      if (!call.context.signal.aborted) call.running = undefined;
      note(error instanceof GatewayError ? (error.details.upstream?.status ?? 0) : 0);
      throw error;
    }
  }
}
