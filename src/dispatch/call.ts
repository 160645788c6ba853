import { type Hold } from '../billing/holds.service.js';
import { risingId } from '../billing/rising-id.js';
import { type RequestContext } from '../contract/caller.js';
import { type Candidate } from '../contract/candidate.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type Endpoint, type Format, type RequestOf } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Attempt } from '../contract/usage-record.js';
import { type Deployment } from '../providers/deployment.js';
import { type CallContext, type RelayContext, type Target } from '../providers/provider.js';
import { type Permit } from '../upstream/permit.js';
import { type SurfaceCall } from './surface.js';
import { estimateInput } from '../tokens/estimate.js';

/** One request on its way through the gateway, whichever models it is tried on. */
export interface Call {
  /** Our own id of the call: callers may send one request id twice. */
  readonly id: string;
  readonly context: RequestContext;
  /** The route's path below `/v3`, such as `/v1/messages`. */
  readonly path: string;
  /** The caller's, of a conversation. */
  readonly format: Format | undefined;
  readonly body: CheckedBody<object>;
  readonly requestedModel: string;
  readonly stream: boolean;
  /** How many requests to its provider it is made into. */
  readonly requests: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** The tries so far, in their order, and models that were skipped; grows as the call goes on. */
  readonly attempts: Attempt[];
  /** Why those of them got no answer that got none: for the log, since it may name the provider's address. */
  readonly causes: Map<Attempt, string>;
  /** What the router made of each model; undefined for a call that it had no part in. */
  candidates: readonly Candidate[] | undefined;
  /** What is set aside for the tries that run now, or for the last ones; the first is the row's. */
  readonly holds: Hold[];
  /** Shared by all of its tries. Settled: it is in the books, and may neither fail nor go on. */
  readonly state: { isSettled: boolean };
  /** The models that are tried when this one fails: while one of them may work, it is not asked twice. */
  following: readonly Target[];
  /** Whether the request can be said to the provider of one of those: it is translated to find out. */
  canAsk: (following: Target) => boolean;
  /** The models that asked to be left alone for a time: one may stand in the plan again. */
  readonly resting: Map<string, Rest>;
  /** The tries that were sent and run now, or were cut before they had answered. */
  readonly running: RunningTry[];
  /** What the try that runs now goes through, with all its calls; undefined where there is one way. */
  readonly deployment: Deployment | undefined;
  /** By which the try that runs now tells how its model does; undefined for what is no try. */
  readonly permit: Permit | undefined;
  /**
   * By which the try that runs now tells that a request of its has left, which may be one of so many parts;
   * undefined for what is no try.
   */
  readonly sent: ((parts?: number) => void) | undefined;
  /** Aborted when the gateway gives a try up although the caller waits; undefined where it never does. */
  readonly cut: AbortSignal | undefined;
  /** Aborted when nobody waits for the try any more: its caller has left, or it was cut. */
  readonly ends: AbortSignal;
}

/** A try that its provider may charge for, and how much of the request it has been sent. */
export interface RunningTry {
  readonly target: Target;
  /** Into how many parts the request is made. */
  readonly parts: number;
  sent: number;
}

/** What a model's last try came to, and until when it asked to be left alone then. */
interface Rest {
  readonly error: GatewayError;
  /** The deployments that were tried. */
  readonly used: ReadonlySet<Deployment>;
  /** By `performance.now()`. */
  readonly until: number;
}

/** Begins a call for a request whose body has passed its checks. */
export function beginCall(
  context: RequestContext,
  { path, format }: { readonly path: string; readonly format?: Format },
  body: CheckedBody<object>,
): Call {
  const { model, stream } = body.value as { model?: unknown; stream?: unknown };
  return {
    id: risingId(),
    context,
    path,
    format,
    body,
    requestedModel: typeof model === 'string' ? model : '',
    stream: stream === true,
    requests: 1,
    createdAt: Date.now(),
    attempts: [],
    causes: new Map(),
    candidates: undefined,
    holds: [],
    state: { isSettled: false },
    following: [],
    canAsk: () => true,
    resting: new Map(),
    running: [],
    deployment: undefined,
    permit: undefined,
    sent: undefined,
    cut: undefined,
    ends: context.signal,
  };
}

/**
 * What a call is made for, as deployments know it: `/v1/messages openai/gpt-4o`. One of them may have
 * `messages` of a model and no `count_tokens`.
 */
export function purposeOf({ path }: Call, { model }: Target): string {
  return `${path} ${model.id}`;
}

/**
 * Whether the sandbox answers in the model's place, as it does for a key of its own: that costs nothing, and
 * says nothing of the model, nor of who would serve it.
 */
export function isPlayed({ context }: Call): boolean {
  return context.caller.keyType === 'sandbox';
}

/** The tries that were made: a model whose circuit was open was not asked. */
export function madeAttempts({ attempts }: Call): readonly Attempt[] {
  return attempts.filter(({ circuit }) => circuit === undefined);
}

/** What the caller was told when a stop of the gateway cut the call; undefined for any other end. */
export function stopOf({ context }: Call): GatewayError | undefined {
  const { reason } = context.signal as { readonly reason: unknown };
  return reason instanceof GatewayError ? reason : undefined;
}

/** The body as a codec sees it: without what is for the gateway only. */
export function forwarded<T extends object>({ value, edits }: CheckedBody<T>): T {
  const kept = Object.entries(value).filter(
    ([key]) => !edits.has(key) || edits.get(key) !== undefined,
  );
  return Object.fromEntries(kept) as T;
}

/** What a relay may know of the call. */
export function relayContext(call: Call, { model, connection }: Target): RelayContext {
  return {
    model,
    place: connection.place,
    headers: formatHeaders(call),
    stream: call.stream,
    body: call.body.value as Readonly<Record<string, unknown>>,
    id: call.context.id,
    created: Math.floor(call.createdAt / 1000),
  };
}

/** What a codec may know of the call. */
export function callContext<E extends Endpoint>(
  call: Call,
  { model, connection }: Target,
  request: RequestOf<E>,
): CallContext<E> {
  return {
    request,
    model,
    place: connection.place,
    headers: formatHeaders(call),
    stream: call.stream,
    inputEstimate: estimateInput(call.body.value),
    id: call.context.id,
    created: Math.floor(call.createdAt / 1000),
    chat: call.format === 'openai' ? (call.body.value as CallContext<E>['chat']) : undefined,
  };
}

/** What a surface may know of the call. */
export function surfaceCall(call: Call, { model }: Target): SurfaceCall {
  return {
    model,
    body: call.body.value as Readonly<Record<string, unknown>>,
    id: call.context.id,
    created: Math.floor(call.createdAt / 1000),
  };
}

/** Headers that belong to a wire format; the caller's key and the rest stay here. */
function formatHeaders({ context }: Call): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(context.headers)) {
    if (value !== undefined && name.startsWith('anthropic-')) headers[name] = value;
  }
  return headers;
}
