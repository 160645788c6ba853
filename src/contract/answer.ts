/** What goes back to a caller whose request succeeded. A stream's body fails by throwing. */
export interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  /** A whole JSON body in pieces, or server-sent events as they come. */
  readonly body: readonly Buffer[] | AsyncIterable<Buffer>;
  /** To be called when a whole body has been sent: nothing of it can be read any more. */
  readonly free?: (() => void) | undefined;
}
