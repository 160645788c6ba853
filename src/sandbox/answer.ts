import { type Fields } from '../json/values.js';

/** A call that has passed the faults its model's name asks for. */
export interface SandboxCall {
  readonly body: Fields;
  /** Unix seconds. */
  readonly created: number;
}

/**
 * What goes back with status 200: a JSON body, one of many vectors as the pieces of its text, which are
 * made while they are read, or the frames of an event stream.
 */
export type Answer =
  | { readonly json: object }
  | { readonly pieces: Iterable<string> }
  | { readonly frames: Iterable<string> };

/**
 * One endpoint in one wire format.
 *
 * @throws Refusal if the provider would answer the call with an error.
 */
export type SandboxEndpoint = (call: SandboxCall) => Answer | Promise<Answer>;

/** A server-sent event; without a name, as the OpenAI chat format sends them. */
export function frame(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
