import { type ProviderError, type UpstreamReply } from '../provider.js';

/**
 * What a provider's error body says, in whichever of the usual shapes: `{error: {message, …}}`
 * (OpenAI, Anthropic), `{error: "…"}`, `{message}` or `{detail}`. Undefined when it says nothing.
 */
export function decodeError(reply: UpstreamReply): ProviderError | undefined {
  try {
    return errorIn(reply.json());
  } catch {
    return undefined;
  }
}

/** The error inside a JSON body that was read already; undefined when there is none. */
export function errorIn(body: unknown): ProviderError | undefined {
  const outer = (Array.isArray(body) ? body[0] : body) as ErrorBody | null | undefined;
  if (typeof outer !== 'object' || outer === null) return undefined;
  const inner = outer.error;
  if (typeof inner === 'object' && inner !== null) {
    const message = text(inner.message) ?? text(outer.message);
    return message === undefined ? undefined : { ...named(inner), message };
  }
  const message = text(inner) ?? text(outer.message) ?? text(outer.detail);
  return message === undefined ? undefined : { ...named(outer), message };
}

interface ErrorBody {
  error?: (ErrorBody & Record<string, unknown>) | string | null;
  message?: unknown;
  detail?: unknown;
  type?: unknown;
  code?: unknown;
  param?: unknown;
  details?: unknown;
}

function named(body: ErrorBody): Omit<ProviderError, 'message'> {
  const type = text(body.type);
  const code = text(body.code);
  const param = text(body.param);
  return {
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
    ...(body.details !== undefined && { details: body.details }),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
