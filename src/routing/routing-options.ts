import { booleanFromText, decimalFromText } from '../validation/lax-coercion.js';

/** How a request wants its model chosen. */
interface Options {
  /** 0 to 10; undefined for the middle. */
  readonly dial: number | undefined;
  /** The conversation stays with the model that has begun it. */
  readonly sticky: boolean;
}

interface Routing {
  readonly routing?: { readonly quality_cost?: unknown; readonly sticky?: unknown } | null;
}

/** `routing` of a body that has passed its checks; messages take numbers and flags as texts too. */
export function routingOptionsOf(body: object): Options {
  const { quality_cost: dial, sticky } = (body as Routing).routing ?? {};
  return { dial: numberOf(dial), sticky: flagOf(sticky) ?? true };
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string') return decimalFromText(value);
  return value === undefined || value === null ? undefined : Number(value);
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'string') return booleanFromText(value);
  return value === undefined || value === null ? undefined : Boolean(value);
}
