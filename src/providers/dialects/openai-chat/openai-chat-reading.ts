import { listOf } from '../../../json/values.js';

/** What a message or a stream's delta may hold; nothing of it is certain. */
export interface WireMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
  readonly images?: unknown;
  readonly annotations?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
}

/** A tool call, or in a stream a piece of one. */
export interface WireCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** Tool calls, also in the form that came before them (`function_call`). */
export function callsIn(message: WireMessage | null | undefined): readonly WireCall[] {
  const old = message?.function_call as WireCall['function'];
  const calls = old?.name || old?.arguments ? [{ index: 0, function: old }] : message?.tool_calls;
  return (listOf(calls) as (WireCall | null)[]).filter((call) => call !== null);
}
