import Anthropic, { type ClientOptions as AnthropicOptions } from '@anthropic-ai/sdk';
import OpenAI, { type ClientOptions as OpenAIOptions } from 'openai';
import { API_KEY } from './gateway.js';

/** OpenAI's client at a gateway; it tries nothing again unless told to. */
export function openaiAt(url: string, options: OpenAIOptions = {}): OpenAI {
  return new OpenAI({ baseURL: `${url}/v3`, apiKey: API_KEY, maxRetries: 0, ...options });
}

/** Anthropic's client at a gateway; it tries nothing again unless told to. */
export function anthropicAt(url: string, options: AnthropicOptions = {}): Anthropic {
  return new Anthropic({ baseURL: `${url}/v3`, apiKey: API_KEY, maxRetries: 0, ...options });
}

/** The fields that both clients' errors have in common. */
export interface ThrownByClient extends Error {
  readonly status?: number;
  readonly headers?: Headers;
  readonly requestID?: string;
  readonly error?: unknown;
}

/** What a call throws, which must be an error of this class. */
export async function thrownBy(
  kind: abstract new (...parameters: never[]) => Error,
  call: Promise<unknown>,
): Promise<ThrownByClient> {
  const outcome: unknown = await call.catch((thrown: unknown) => thrown);
  if (outcome instanceof kind) return outcome;
  throw new Error(`expected ${kind.name}, got ${String(outcome)}`);
}

/** Everything that a stream or a list of pages gives. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
