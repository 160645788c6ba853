import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type Endpoint } from '../contract/endpoint.js';
import { familyOf, statusFor } from '../contract/error-family.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Target } from '../providers/provider.js';
import { type Call } from './call.js';
import { countByFirst } from './count-tokens.js';
import { dialectFor, playedBySandbox, unserved } from './dialect-choice.js';
import { Exchange } from './exchange.js';
import { answerHeaders, withAttempts } from './headers.js';
import { type Work } from './hedge.js';
import { paidWhenLeft } from './left-parts.js';
import { withinLimit } from './output-limit.js';
import { beforeDeadline } from './patience.js';
import { canSay, relaying, saidInRounds, type Translating, translating } from './saying.js';
import { Settlement } from './settlement.js';
import { splitting } from './split.js';
import { StreamRun } from './stream-run.js';
import { type Streaming } from './streaming.js';
import { type Surface } from './surface.js';
import { Tries } from './tries.js';
import { naming } from './upstream-failure.js';
import {
  brokenIfTooDeep,
  fits,
  type Job,
  type Relaying,
  relayWhole,
  translateWhole,
  type Whole,
} from './whole.js';

/** Carries one request to one model and back, paid for; it is told which models follow, and chooses none. */
@Injectable()
export class Dispatcher {
  constructor(
    private readonly exchange: Exchange,
    private readonly tries: Tries,
    private readonly settlement: Settlement,
  ) {}

  /**
   * Holds a conversation: passed on byte for byte where the provider speaks the caller's format,
   * translated where it speaks another.
   *
   * @param following the models that are tried when this one fails.
   * @throws GatewayError as the request, the provider or the connection fails, always before the
   * first byte of the answer. A stream that breaks off later throws from its body.
   */
  async converse(
    begun: Call,
    chosen: Target,
    surface: Surface,
    following: readonly Target[],
  ): Promise<Answer> {
    begun.following = following;
    begun.canAsk = (next) => canSay(begun, playedBySandbox(begun, next), surface);
    const call = withinLimit(begun, chosen.model);
    const target = playedBySandbox(call, chosen);
    const said = await saidInRounds(call, target, surface);
    if ('tap' in said) return this.stream(call, target, said);
    if ('relay' in said) return this.relayed(call, target, said);
    return this.translated(call, target, said);
  }

  /** Performs a call that is answered whole; errors as `converse`. */
  async perform<E extends Endpoint>(call: Call, chosen: Target, job: Job<E>): Promise<Answer> {
    const target = playedBySandbox(call, chosen);
    const { codec: spoken, relay } = dialectFor(call, target, job.endpoint) ?? {};
    const codec = spoken && job.split ? splitting(spoken, job.split) : spoken;
    const translation = codec && { codec, request: job.request, render: job.render };
    if (relay && job.mayRelay !== false && fits(call, target, relay, translation)) {
      return this.relayed(call, target, relaying(call, target, relay, translation));
    }
    if (!translation) throw unserved(call, target);
    return this.translated(call, target, translating(call, target, translation));
  }

  /** `countByFirst`; it is neither priced nor recorded. */
  countTokens(call: Call, plan: readonly Target[]): Promise<Buffer | undefined> {
    const played = plan.map((target) => playedBySandbox(call, target));
    return countByFirst({ exchange: this.exchange, tries: this.tries }, call, played);
  }

  /** Runs a call to its answer, and writes the record of one that gets none and has none yet. */
  async recorded(call: Call, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      const status =
        error instanceof GatewayError ? statusFor(error, familyOf(`/v3${call.path}`)) : 500;
      if (!call.state.isSettled) await this.settlement.settleFailure(call, status, error);
      throw withAttempts(error, call);
    }
  }

  private relayed<E extends Endpoint>(
    call: Call,
    target: Target,
    said: Relaying<E>,
  ): Promise<Answer> {
    return this.whole(call, target, (tried) => relayWhole(this.exchange, tried, target, said));
  }

  private async translated<E extends Endpoint>(
    asked: Call,
    target: Target,
    { translation, parts }: Translating<E>,
  ): Promise<Answer> {
    const call = { ...asked, requests: parts.size };
    try {
      return await this.whole(call, target, (tried) =>
        translateWhole(this.exchange, tried, target, translation, parts),
      );
    } catch (error) {
      if (
        (parts.size > 1 || parts.areBegun) &&
        call.context.signal.aborted &&
        !call.state.isSettled
      ) {
        const paid = await paidWhenLeft(call, target, translation, parts);
        await this.settlement.settleLeft(call, paid);
      }
      throw error;
    }
  }

  private async whole(call: Call, target: Target, work: Work<Whole>): Promise<Answer> {
    const { ending, body, free } = await this.tried(call, target, (tried) =>
      brokenIfTooDeep(target, work(tried)),
    );
    const bill = await this.settlement.settle(call, target, ending);
    return { headers: answerHeaders(call, target, bill), body: body(bill), free };
  }

  /** A stream may take as long as it likes, but for its silences and the time to its first event. */
  private async stream(
    call: Call,
    target: Target,
    { upstreamCall, tap, translate }: Streaming,
  ): Promise<Answer> {
    const start: Work<AsyncIterable<Buffer>> = async (tried) => {
      const run = new StreamRun(tried, target, tap(), this.settlement);
      const { headers, batches } = await this.exchange.openStream(tried, target, upstreamCall);
      return run.start(translate ? translate(batches) : batches, headers);
    };
    const body = await this.tried(call, target, start);
    return { headers: answerHeaders(call, target), body };
  }

  private async tried<T>(call: Call, target: Target, work: Work<T>): Promise<T> {
    try {
      return await beforeDeadline(call, this.exchange.totalMs, (timed) =>
        this.tries.tried(timed, target, work),
      );
    } catch (error) {
      throw naming(target.model.provider, error);
    }
  }
}
