import { Injectable } from '@nestjs/common';
import { type Target, type UpstreamCall } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';
import { Deployments } from '../upstream/deployments.js';
import { frames } from '../upstream/frames.js';
import { isWholeJson, peek } from '../upstream/peek.js';
import { LONGEST_REFUSAL_BYTES, readRefusal, readReply } from '../upstream/read-reply.js';
import { Secrets } from '../upstream/secrets.js';
import { tooLate } from '../upstream/too-late.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { isPlayed, purposeOf, type Call } from './call.js';
import { Drains } from './drains.js';
import { forwardedHeaders } from './headers.js';
import { cutBy, firstOf } from './patience.js';
import { type Batches } from './server-events.js';
import { Standstill } from './standstill.js';
import { brokenAnswerOf, failureInside, failureOf } from './upstream-failure.js';

const STOPPING_MS = 5_000;

/** A stream whose head has come, and the events that follow. */
interface Opened {
  readonly headers: IncomingAnswer['headers'];
  readonly batches: Batches;
}

/** Sends the calls of a try and takes their answers. */
@Injectable()
export class Exchange {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly drains: Drains,
    private readonly deployments: Deployments,
  ) {}

  /** The longest that a request may take which is answered whole, in milliseconds. */
  get totalMs(): number {
    return this.upstream.totalMs;
  }

  /**
   * Sends one call and waits for the head of a good answer.
   *
   * @throws GatewayError for every other answer, and what the upstream client throws.
   */
  async open(
    call: Call,
    target: Target,
    upstreamCall: UpstreamCall,
    signal = call.ends,
  ): Promise<IncomingAnswer> {
    const { connection } = target;
    const { provider } = connection;
    const isDrained = provider.onDisconnect === 'drain' || upstreamCall.beginsTask === true;
    const outlives = isDrained && signal === call.ends;
    const drain = outlives ? this.drains.for(call.context) : undefined;
    const options = {
      signal: drain ? firstOf(drain.signal, call.cut ?? drain.signal) : signal,
      stream: upstreamCall.framing !== 'none',
      sandboxed: isPlayed(call),
      headers: forwardedHeaders(call, target),
      sent: () => {
        drain?.sent();
        call.sent?.();
      },
    };
    try {
      const send = (via: typeof connection) => this.upstream.send(via, upstreamCall, options);
      const answer = await this.deployments.through(
        call.deployment,
        connection,
        send,
        options.signal,
      );
      const { status, body } = answer;
      if (status >= 200 && status < 300) return { ...answer, body: drain?.reading(body) ?? body };
      const reply = await readRefusal(answer);
      throw failureOf(provider.name, reply, provider.decodeError(reply));
    } catch (error) {
      // Of several calls of one try, the try itself hears of the first that failed.
      this.deployments.reportPart(call.deployment, error, purposeOf(call, target));
      drain?.end();
      throw new Secrets(connection).hiddenInError(error);
    }
  }

  /** Asks the provider to stop what it began; whether it does is nobody's concern any more. */
  async stop(call: Call, target: Target, upstreamCall: UpstreamCall): Promise<void> {
    try {
      const patience = AbortSignal.timeout(STOPPING_MS);
      await readReply(await this.open(call, target, upstreamCall, patience));
    } catch {
      // Nobody has a use for the answer.
    }
  }

  /**
   * Sends one call whose answer is a stream of events, which is cut when it stands still for too long.
   *
   * @throws GatewayError also for a whole JSON body, which is an error dressed as success.
   */
  async openStream(call: Call, target: Target, upstreamCall: UpstreamCall): Promise<Opened> {
    const clock = new AbortController();
    const answer = await this.open(cutBy(call, clock.signal), target, upstreamCall);
    const { framing } = upstreamCall;
    // Not by what it is called: some servers call their events JSON, and others their errors text.
    const { beginning, body } = await peek(answer.body);
    const { headers } = answer;
    if (framing === 'ndjson' || !isWholeJson(beginning)) {
      const batches = frames(framing, body, call.context.holdAnswer);
      const cut = (): void => {
        clock.abort(tooLate());
      };
      return { headers, batches: new Standstill(batches, this.upstream.longestStillMs, cut) };
    }
    const { provider } = target.connection;
    const reply = await readReply({ ...answer, body }, undefined, LONGEST_REFUSAL_BYTES);
    const error = provider.decodeError(reply);
    const failure = error && failureInside(provider.name, error, headers);
    throw new Secrets(target.connection).hiddenInError(failure ?? brokenAnswerOf(provider.name));
  }
}
