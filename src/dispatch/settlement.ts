import { Injectable } from '@nestjs/common';
import { TokenLimits } from '../accounts/token-limits.service.js';
import { type Charged, Charges } from '../billing/charges.service.js';
import { Holds } from '../billing/holds.service.js';
import { priceOf } from '../billing/price.js';
import { worstCase } from '../billing/worst-case.js';
import { type ImageKind } from '../contract/images.js';
import { type Units, usdDecimal } from '../contract/money.js';
import { NO_USAGE, type Usage } from '../contract/usage.js';
import { type Outcome } from '../contract/usage-record.js';
import { type Bill } from '../providers/provider.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { estimateInput, tokensOfBytes } from '../tokens/estimate.js';
import { type Call } from './call.js';
import { sessionMarks } from './headers.js';
import { type Target } from '../providers/provider.js';

/** How a call ended, as far as the provider told. */
export interface Ending {
  readonly outcome: Outcome;
  readonly status: number;
  /** Undefined: the provider reported nothing usable, so our own count stands in. */
  readonly usage: Usage | undefined;
  /** False: the provider has not said how much it produced, so what was seen is counted. */
  readonly isFinal: boolean;
  readonly outputBytes: number;
  readonly image?: ImageKind;
  readonly firstByteMs: number | null;
}

/** Tokens of a large image of good quality, for a provider that does not say. */
const TOKENS_PER_IMAGE = 4_160;

/** Holds what a call may cost, prices it, and writes its record. */
@Injectable()
export class Settlement {
  constructor(
    private readonly holds: Holds,
    private readonly charges: Charges,
    private readonly tokenLimits: TokenLimits,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Sets aside the most that a try may cost, in place of what the one before it has held.
   *
   * @throws GatewayError 402 when there is not that much, 503 while the database is away.
   */
  async hold(call: Call, { model }: Target): Promise<void> {
    const { caller } = call.context;
    const bounded = caller.limited || caller.spendLimit !== null;
    if (!bounded || caller.keyType === 'sandbox') return;
    await this.charges.release(chargedFor(call));
    call.hold = undefined;
    const facts = { ...factsOf(call), model: model.id, provider: model.provider };
    call.hold = await this.holds.hold(caller, facts, worstCase(model, call));
  }

  /**
   * Returns when the record is durable.
   *
   * @throws GatewayError 503 when it cannot be written.
   */
  async settle(call: Call, target: Target, ending: Ending): Promise<Bill> {
    const usage = usageOf(call, target, ending);
    const cost = costOf(call, target, usage, ending.image);
    await this.record(call, ending, { usage, cost });
    return { cost: usdDecimal(cost), provider: target.model.provider, usage };
  }

  /**
   * Writes the record of a call that was never answered, and so costs nothing; unless the caller
   * left while a provider was at work, which is paid for what it was sent.
   */
  async settleFailure(call: Call, status: number): Promise<void> {
    const outcome = outcomeOf(call);
    const ending = { ...UNANSWERED, outcome, status: outcome === 'client_closed' ? 499 : status };
    const target = outcome === 'client_closed' ? call.running : undefined;
    if (!target) return this.record(call, ending, { usage: NO_USAGE, cost: 0n });
    const usage = { ...NO_USAGE, inputTokens: inputOf(call) };
    await this.record(call, ending, { usage, cost: costOf(call, target, usage, undefined) });
  }

  private async record(
    call: Call,
    ending: Ending,
    { usage, cost }: { usage: Usage; cost: Units },
  ): Promise<void> {
    const { context, attempts } = call;
    const durationMs = performance.now() - context.receivedAt;
    const last = attempts.at(-1);
    const model = last?.model ?? null;
    const provider = last?.provider ?? null;
    const [inputTokens, outputTokens] = tokensOf(usage);
    // Before the caller sees the end, so that the key's next request is judged with them.
    this.tokenLimits.report(context.caller, inputTokens + outputTokens);
    Object.assign(context.log, {
      outcome: ending.outcome,
      model,
      provider,
      inputTokens,
      outputTokens,
      cost: usdDecimal(cost),
      attempts: attempts.length,
    });
    this.metrics.call({
      endpoint: call.endpoint,
      outcome: ending.outcome,
      provider,
      model,
      status: ending.status,
      seconds: durationMs / 1_000,
      firstByteSeconds: ending.firstByteMs === null ? null : ending.firstByteMs / 1_000,
      inputTokens,
      outputTokens,
      costUsd: Number(usdDecimal(cost)),
      attempts,
    });
    await this.charges.settle(chargedFor(call), {
      ...factsOf(call),
      accountId: context.caller.accountId,
      keyId: context.caller.keyId,
      model,
      provider,
      status: ending.status,
      outcome: ending.outcome,
      usage,
      cost,
      estimated: ending.outcome !== 'error' && usage !== ending.usage,
      attempts,
      durationMs: Math.round(durationMs),
      firstByteMs: ending.firstByteMs === null ? null : Math.round(ending.firstByteMs),
    });
  }
}

const UNANSWERED = { usage: NO_USAGE, isFinal: true, outputBytes: 0, firstByteMs: null } as const;

function chargedFor({ id, context: { caller, id: requestId }, hold }: Call): Charged {
  return { id: hold?.id ?? id, caller, requestId, hold };
}

function outcomeOf({ context, attempts }: Call): Outcome {
  if (context.signal.aborted) return 'client_closed';
  return attempts.length > 0 ? 'error' : 'rejected';
}

/**
 * What is paid for. A provider that broke off is paid what it reported; otherwise what it did not
 * report, because a caller hung up or by its own omission, is counted here.
 */
function usageOf(call: Call, target: Target, ending: Ending): Usage {
  if (ending.outcome === 'error') return ending.usage ?? NO_USAGE;
  if (!ending.usage) return counted(call, target, ending);
  if (ending.isFinal) return ending.usage;
  const seen = tokensOfBytes(ending.outputBytes);
  return { ...ending.usage, outputTokens: Math.max(ending.usage.outputTokens, seen) };
}

/** Our own count: the request's text, and what was seen of the answer. */
function counted(call: Call, { model }: Target, { outputBytes }: Ending): Usage {
  const inputTokens = inputOf(call);
  if (!model.endpoints.includes('images')) {
    return { ...NO_USAGE, inputTokens, outputTokens: tokensOfBytes(outputBytes) };
  }
  const { n } = call.body.value as { n?: unknown };
  const images = typeof n === 'number' ? n : 1;
  return { ...NO_USAGE, inputTokens, images, imageOutputTokens: images * TOKENS_PER_IMAGE };
}

/** Of embeddings only `input` is read, and texts may be short beside the other fields. */
function inputOf({ endpoint, body }: Call): number {
  const { input } = body.value as { input?: unknown };
  return estimateInput(endpoint === '/embeddings' ? input : body.value);
}

/** All that went in, and all that came out. */
function tokensOf(usage: Usage): readonly [number, number] {
  const text = usage.inputTokens + usage.imageInputTokens;
  const cached = usage.cacheReadTokens + usage.cachedImageInputTokens;
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  return [text + cached + written, usage.outputTokens + usage.imageOutputTokens];
}

function costOf(
  { context }: Call,
  { model }: Target,
  usage: Usage,
  image: ImageKind | undefined,
): Units {
  return context.caller.keyType === 'sandbox' ? 0n : priceOf(model.pricing, usage, image);
}

/** What the call's hold and its record say alike, whichever model it is tried on. */
function factsOf(call: Call) {
  const { context, endpoint, requestedModel, createdAt } = call;
  return { requestId: context.id, endpoint, requestedModel, createdAt, ...attribution(call) };
}

/**
 * The caller's own marks on a request, and its agent's; the Messages API has the user inside its
 * metadata.
 */
function attribution(call: Call): {
  user: string | null;
  metadata: Readonly<Record<string, unknown>> | null;
} {
  const { user, metadata } = call.body.value as { user?: unknown; metadata?: unknown };
  const marks =
    typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
      ? (metadata as Record<string, unknown>)
      : null;
  const named = typeof user === 'string' ? user : marks?.user_id;
  const session = sessionMarks(call);
  return {
    user: typeof named === 'string' ? named : null,
    // What the caller wrote under these names itself is what it meant.
    metadata: session || marks ? { ...session, ...marks } : null,
  };
}
