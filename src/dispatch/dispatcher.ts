import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type Endpoint } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type NeutralRequest } from '../contract/neutral.js';
import { anthropicRelay } from '../providers/dialects/anthropic-relay.js';
import {
  type Codec,
  type Dialect,
  type Relay,
  type StreamTap,
  type UpstreamCall,
} from '../providers/provider.js';
import { sandbox } from '../providers/sandbox/sandbox.js';
import { conversation } from '../providers/serves.js';
import { type Call, callContext, forwarded, relayContext, surfaceCall } from './call.js';
import { type Target } from '../providers/provider.js';
import { countByProvider } from './count-tokens.js';
import { Exchange } from './exchange.js';
import { answerHeaders } from './headers.js';
import { type Batches, framed, serverEvents } from './server-events.js';
import { Settlement } from './settlement.js';
import { type Split, splitting } from './split.js';
import { StreamRun } from './stream-run.js';
import { type Surface } from './surface.js';
import { relayCall, relayWhole, translateWhole, type Translation, type Whole } from './whole.js';
import { WrittenTap } from './written-tap.js';

/** A call that is answered whole; without `render` it can only be relayed. */
export interface Job<E extends Endpoint> extends Pick<Translation<E>, 'request' | 'render'> {
  readonly endpoint: E;
  /** False: the caller's own bytes do not say everything, or not as a provider takes it. */
  readonly mayRelay?: boolean;
  readonly split?: Split<E>;
}

/** Carries one request to one model and back, paid for; knows nothing of fallback or routing. */
@Injectable()
export class Dispatcher {
  constructor(
    private readonly exchange: Exchange,
    private readonly settlement: Settlement,
  ) {}

  /**
   * Holds a conversation: passed on byte for byte where the provider speaks the caller's format,
   * translated where it speaks another.
   *
   * @param isLast no other model is tried when this one fails.
   * @throws GatewayError as the request, the provider or the connection fails, always before the
   * first byte of the answer. A stream that breaks off later throws from its body.
   */
  async converse(call: Call, chosen: Target, surface: Surface, isLast = true): Promise<Answer> {
    call.movesOn = !isLast;
    const target = playedBySandbox(call, chosen);
    const way = conversation(target, surface.format, call.body.value);
    if (!way) throw unserved(call, target);
    if ('relay' in way) return this.passOn(call, target, way.relay);
    const { codec } = way;
    const request = surface.read(forwarded(call.body) as Readonly<Record<string, unknown>>);
    if (call.stream) return this.translateStream(call, target, codec, { surface, request });
    return this.whole(call, target, () =>
      translateWhole(this.exchange, call, target, {
        codec,
        request,
        render: (message, usage) => surface.render(message, usage, surfaceCall(call, target)),
      }),
    );
  }

  /** Performs a call that is answered whole; errors as `converse`. */
  async perform<E extends Endpoint>(call: Call, chosen: Target, job: Job<E>): Promise<Answer> {
    const target = playedBySandbox(call, chosen);
    const { codec: spoken, relay } = dialectFor(call, target, job.endpoint) ?? {};
    const codec = spoken && job.split ? splitting(spoken, job.split) : spoken;
    const translation = codec && { codec, request: job.request, render: job.render };
    const { exchange } = this;
    // A request that has to be split cannot be passed on as it is.
    const fits = relay?.fits
      ? relay.fits(relayContext(call, target))
      : !codec || codec.encode(callContext(call, target, job.request)).length === 1;
    if (relay && fits && job.mayRelay !== false) {
      return this.whole(call, target, () => relayWhole(exchange, call, target, relay, translation));
    }
    if (!translation) throw unserved(call, target);
    return this.whole(call, target, () => translateWhole(exchange, call, target, translation));
  }

  /** `countByProvider`; it is neither priced nor recorded. */
  countTokens(call: Call, chosen: Target): Promise<Buffer | undefined> {
    return countByProvider(this.exchange, call, playedBySandbox(call, chosen));
  }

  /** Runs a call to its answer, and writes the record of one that gets none. */
  async recorded(call: Call, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      await this.settlement.settleFailure(call, error instanceof GatewayError ? error.status : 500);
      throw error;
    }
  }

  private passOn(call: Call, target: Target, relay: Relay): Promise<Answer> {
    const tap = relay.stream?.bind(relay, relayContext(call, target));
    if (!tap || !call.stream)
      return this.whole(call, target, () => relayWhole(this.exchange, call, target, relay));
    return this.stream(call, target, tap, { upstreamCall: relayCall(call, target, relay, true) });
  }

  private async whole(call: Call, target: Target, work: () => Promise<Whole>): Promise<Answer> {
    const { ending, body } = await this.exchange.tried(call, target, work);
    const paid = { outcome: 'ok' as const, status: 200, isFinal: true, ...ending };
    const bill = await this.settlement.settle(call, target, paid);
    return { headers: answerHeaders(call, target, bill), body: body(bill) };
  }

  private translateStream(
    call: Call,
    target: Target,
    codec: Codec<'messages'>,
    { surface, request }: { surface: Surface; request: NeutralRequest },
  ): Promise<Answer> {
    const context = callContext<'messages'>(call, target, request);
    const [upstreamCall] = codec.encode(context);
    const neutral = anthropicRelay.stream?.bind(anthropicRelay, relayContext(call, target));
    if (!upstreamCall || !neutral || !codec.decodeStream) throw unserved(call, target);
    const tap = (): StreamTap => {
      const writer = surface.writer?.(surfaceCall(call, target));
      return writer ? new WrittenTap(neutral(), writer) : neutral();
    };
    const decode = codec.decodeStream.bind(codec);
    return this.stream(call, target, tap, {
      upstreamCall,
      translate: (batches) => framed(decode(serverEvents(batches), context)),
    });
  }

  private async stream(
    call: Call,
    target: Target,
    tap: () => StreamTap,
    {
      upstreamCall,
      translate,
    }: { upstreamCall: UpstreamCall; translate?: (batches: Batches) => Batches },
  ): Promise<Answer> {
    const body = await this.exchange.tried(call, target, async () => {
      const run = new StreamRun(call, target, tap(), this.settlement);
      const batches = await this.exchange.openStream(call, target, upstreamCall);
      return run.start(translate ? translate(batches) : batches);
    });
    return { headers: answerHeaders(call, target), body };
  }
}

function dialectFor<E extends Endpoint>(
  { body }: Call,
  { model, connection }: Target,
  endpoint: E,
): Dialect<E> | undefined {
  const asked = body.value as Readonly<Record<string, unknown>>;
  return connection.provider.endpoints[endpoint]?.find(
    ({ serves }) => serves?.(model, asked) ?? true,
  );
}

/** A sandbox key may name any model; the sandbox answers in the formats that it speaks itself. */
function playedBySandbox({ context }: Call, { model, connection }: Target): Target {
  if (context.caller.keyType !== 'sandbox') return { model, connection };
  const provider = { ...connection.provider, endpoints: sandbox.endpoints };
  return { model, connection: { ...connection, provider } };
}

function unserved({ endpoint }: Call, { model }: Target): GatewayError {
  const message = `Model(s) ${model.id} do not support ${endpoint}`;
  return new GatewayError(400, 'model_not_supported', message, { param: 'model' });
}
