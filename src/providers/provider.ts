import { type Auth } from './auth.js';
import { type UpstreamBody } from './upstream-body.js';
import { type Deployment } from './deployment.js';
import { type Place } from './place.js';
import { type Endpoint, type Format, type RequestOf, type ResultOf } from '../contract/endpoint.js';
import { type ImageKind } from '../contract/images.js';
import { type Model, type ModelSpec } from '../contract/model.js';
import { type Units } from '../contract/money.js';
import { type ToolsSeen, type Usage } from '../contract/usage.js';
import { type Edits, type Members, type Splices } from '../json/splice.js';

/** What a codec knows of the call that it translates. */
export interface CallContext<E extends Endpoint> {
  readonly request: RequestOf<E>;
  readonly model: Model;
  readonly place: Place;
  /** The caller's `anthropic-*` headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  /** Our estimate of the input tokens. */
  readonly inputEstimate: number;
  /** Our id of the call, and the Unix seconds at which it began, for formats that want one made up. */
  readonly id: string;
  readonly created: number;
  /** The caller's own body where it is a chat's: some of its words OpenAI has in another format too. */
  readonly chat?: Readonly<Record<string, unknown>> | undefined;
}

/** How an answer is cut into events; `none` for a whole answer. */
export type Framing = 'none' | 'sse' | 'ndjson' | 'aws-event-stream';

/** One HTTP call to a provider. */
export interface UpstreamCall {
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Behind the base address; may end in a query. Names inside are escaped by `encodeURIComponent`. */
  readonly path: string;
  /** `reply`: `path` is a whole address that the provider gave, on its own origin or `replyDomain`. */
  readonly from?: 'base' | 'reply';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: UpstreamBody;
  readonly framing: Framing;
  /** It begins what goes on without its caller, and what can be stopped, or priced, by its answer only. */
  readonly beginsTask?: boolean;
}

/** A provider's whole answer. */
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  /** The answer that began the work, where this one came later. */
  readonly begunBy?: UpstreamReply;
  /** @throws SyntaxError if the bytes are not JSON. */
  json(): unknown;
  /** Gives the memory of a large answer back at once; from then on `bytes` are empty for everybody. */
  readonly free?: (() => void) | undefined;
}

/** An event of a stream, decoded: its name (SSE `event:`), and its data as text. */
export interface ServerEvent {
  readonly name: string | undefined;
  readonly data: string;
  /** The usage in it is our own estimate, which is not what a provider reported. */
  readonly isEstimate?: boolean | undefined;
  /** What the provider has reported so far; for when the answer comes to no end of its own. */
  readonly spent?: Usage | undefined;
  /** Of an error: what the provider said, of which the event's own words tell a part. */
  readonly said?: ProviderError | undefined;
}

/** A codec's result together with what it cost in tokens. */
export interface Decoded<E extends Endpoint> extends ToolsSeen {
  readonly result: ResultOf<E>;
  /** Undefined when the provider reported nothing usable. */
  readonly usage: Usage | undefined;
  readonly image?: ImageKind;
  /** What the call costs by the provider's own word, where it says that. */
  readonly charged?: Units;
  /** How many of its requests are paid for; undefined: all. */
  readonly requests?: number;
}

/** The pure translation between an endpoint's shared shape and a wire format: no I/O, no clock. */
export interface Codec<E extends Endpoint> {
  /** Several calls where a provider's limits split the request; still one hold and one record. */
  encode(call: CallContext<E>): readonly UpstreamCall[];
  /** @throws GatewayError 502 if the replies are not what the format promises. */
  decode(replies: readonly UpstreamReply[], call: CallContext<E>): Decoded<E>;
  /** The error that a reply with status 200 is, where it stands elsewhere than the provider's usually do. */
  failure?(reply: UpstreamReply): ProviderError | undefined;
  /** What each of several calls asks for, where `decode` needs that to read the reply of one alone. */
  parts?(call: CallContext<E>): readonly CallContext<E>[];
  /** The events of the shared shape (Anthropic's stream events), in order and complete. */
  decodeStream?(
    events: AsyncIterable<ServerEvent>,
    call: CallContext<E>,
  ): AsyncIterable<ServerEvent>;
  /** What asks again, if anything; `asked`: what it replied to. @throws GatewayError 502: it tells nothing. */
  next?(reply: UpstreamReply, call: CallContext<E>, asked?: UpstreamCall): UpstreamCall | undefined;
  /** The call that stops what `reply` began, where the provider has one. */
  cancel?(reply: UpstreamReply): UpstreamCall | undefined;
  /** What an image is paid by that this reply has begun, and of which there is no answer yet. */
  begun?(reply: UpstreamReply, call: CallContext<E>): Pick<Decoded<E>, 'image' | 'charged'>;
}

/** An event of a stream as it came: `bytes` holds the whole frame with its closing blank line. */
export interface RawEvent extends ServerEvent {
  readonly bytes: Buffer;
}

/** What a call came to, for the fields that a relay adds. */
export interface Bill {
  /** USD, as JSON text. */
  readonly cost: string;
  readonly provider: string;
  readonly usage: Usage;
}

/** What a relay knows of the call that it passes on. */
export interface RelayContext
  extends
    Pick<CallContext<Endpoint>, 'model' | 'place' | 'headers' | 'stream' | 'created'>,
    Partial<Pick<CallContext<Endpoint>, 'id'>> {
  /** The checked body, parsed. Read only. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a call passes in the provider's own format: as bytes; a tap reads usage, a few members are spliced. */
export interface Relay {
  /** False for a request that has to be translated, such as one that needs several calls. */
  readonly fits?: (call: RelayContext) => boolean;
  /** The call's path and headers, and what to change in the caller's own body. */
  request(call: RelayContext): {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly edits: Edits;
    /** Of a stream, where it is not `sse`. */
    readonly framing?: Framing;
  };
  /** `reply` needs the whole JSON, which is parsed before where that takes long; others read bytes. */
  readonly parses?: true;
  /** Reads a whole reply, and its JSON where it is there; undefined for what the format does not know. */
  reply(bytes: Buffer, call: RelayContext, parsed?: unknown): RelayedReply | undefined;
  /** Absent where the endpoint does not stream. */
  stream?(call: RelayContext): StreamTap;
}

/** What a relay makes of a whole reply. */
export interface RelayedReply extends Pick<Decoded<Endpoint>, 'usage' | 'image' | 'tools'> {
  /** The JSON object to splice, where it is not the reply itself. */
  readonly text?: Buffer;
  /** What to change in it beside adding `cost` and `provider`. */
  readonly splices: Splices;
  /** The object's members, where they were found already. */
  readonly members?: Members;
  /** Text in the answer, from which output is counted when the provider does not say. */
  readonly outputBytes: number;
  readonly images?: number;
  /** The format's `usage` member, to be made of our own count when the reply has none. */
  readonly usageOf?: (counted: Usage) => object;
  /** The reply is an error although its status says 200. */
  readonly error?: ProviderError;
}

/** Reads one stream as it passes. */
export interface StreamTap extends ToolsSeen {
  /** What goes to the caller now; undefined for nothing. */
  take(event: RawEvent): Buffer | undefined;
  /** The end of the stream, with the bill in it. */
  closing(bill: Bill): Buffer;
  /** `ended`: the format's last event was seen. `failed`: the provider sent an error event. */
  readonly state: 'open' | 'ended' | 'failed';
  /** The format allows the stream to end here although its last event is missing. */
  readonly complete: boolean;
  readonly usage: Usage | undefined;
  /** `usage` has the provider's last word on the output, and not only a beginning. */
  readonly isFinal: boolean;
  /** Bytes of text produced so far. */
  readonly outputBytes: number;
  readonly error: ProviderError | undefined;
}

/** What a provider said went wrong; its message goes on to the caller for a 4xx. */
export interface ProviderError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  /** The HTTP status that it names itself. */
  readonly status?: number;
  readonly param?: string;
  readonly details?: unknown;
  /** Its rules refuse what was asked for, which is the caller's to change whatever the status. */
  readonly isRefusal?: boolean;
  /** It refuses the key that it was called with, whatever the status. */
  readonly refusesKey?: boolean;
  /** Seconds after which it wants to be asked again, where its body says so. */
  readonly retryAfter?: number;
}

/** How a provider serves an endpoint in one wire format. */
export interface Dialect<E extends Endpoint> {
  readonly format: Format;
  /** Which models and requests it is for; absent for all. `body` is the caller's, in whichever format. */
  readonly serves?: (model: Model, body: Readonly<Record<string, unknown>>) => boolean;
  /** Of embeddings: inputs may be lists of tokens; elsewhere they have to be text. */
  readonly takesTokens?: boolean;
  readonly codec?: Codec<E>;
  readonly relay?: Relay;
  /** False for a conversation in this format that has to be translated all the same. */
  readonly relays?: (model: Model, body: Readonly<Record<string, unknown>>) => boolean;
}

/** A model provider: one plain object in one folder, listed in `providers.ts`. */
export interface Provider {
  /** The prefix of its models' ids and, in upper case, of its variables. */
  readonly name: string;
  /** The API root as the provider's own SDK takes it; undefined: served only when one is set. */
  readonly baseUrl: string | undefined;
  readonly auth: Auth;
  readonly models: readonly ModelSpec[];
  /** The first dialect in the caller's own format is relayed; else the first with a codec serves. */
  readonly endpoints: { readonly [E in Endpoint]?: readonly Dialect<E>[] };
  /** Whose hosts its answers may point to beside its own, for asking again, as in `bfl.ai`. */
  readonly replyDomain?: string;
  /** It takes documents for models too whose rows do not say so. */
  readonly readsDocuments?: true;
  /** Whether a call whose caller hung up is cut at once or read to its usage. */
  readonly onDisconnect: 'cancel' | 'drain';
  /** Never throws, whatever the body is. */
  decodeError(reply: UpstreamReply): ProviderError | undefined;
}

/** A provider that is switched on, and where and how it is reached here. */
export interface ProviderConnection {
  readonly provider: Provider;
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  readonly place: Place;
  /** Where there are several: all of them, the first being `baseUrl` and `apiKey`. */
  readonly deployments?: readonly Deployment[];
}

/** A model and where it is reached: what an attempt is made on. */
export interface Target {
  readonly model: Model;
  /** Which other one it may use by a tool, at its own price; null: there is none of that name for this one. */
  readonly helper?: Model | null;
  readonly connection: ProviderConnection;
}
