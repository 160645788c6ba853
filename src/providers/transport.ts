/** A body that is made while it is sent; each reading begins anew. */
export interface StreamedBody {
  /** In bytes, known before anything is read. */
  readonly length: number;
  pieces(): AsyncIterable<Uint8Array>;
}

/** What is sent: bytes that are there, or some that are made as they are taken. */
export type OutgoingBody = readonly Uint8Array[] | StreamedBody;

/** A call as it leaves the gateway: everything about it is decided. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OutgoingBody;
}

/** When a call ends early, and who is told that it has left. */
export interface OutgoingLimits {
  /** Aborting it cuts the call, also while the answer is being read. */
  readonly signal: AbortSignal;
  /** A stream has no limit on its whole length, only on its silences. */
  readonly stream: boolean;
  /**
   * Told once, when all of the request has left, or is answered before that; nobody works on one that is cut
   * earlier.
   */
  readonly sent?: (() => void) | undefined;
}

/** An answer whose body has not been read yet; leaving the loop over `body` frees the connection. */
export interface IncomingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

/** What carries a request to a provider: the network, or the sandbox. */
export type Transport = (
  request: OutgoingRequest,
  limits: OutgoingLimits,
) => Promise<IncomingAnswer>;
