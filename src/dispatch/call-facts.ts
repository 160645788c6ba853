import { type CallFacts } from '../billing/request-row.js';
import { isObject } from '../json/values.js';
import { type Call } from './call.js';
import { sessionMarks } from './headers.js';

/** What the call's hold and its record say alike, whichever model it is tried on. */
export function factsOf(call: Call): Omit<CallFacts, 'model' | 'provider'> {
  const { context, path: endpoint, requestedModel, createdAt } = call;
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
  const marks = isObject(metadata) ? metadata : null;
  const named = typeof user === 'string' ? user : marks?.user_id;
  const session = sessionMarks(call);
  return {
    user: typeof named === 'string' ? named : null,
    // What the caller wrote under these names itself is what it meant.
    metadata: session || marks ? { ...session, ...marks } : null,
  };
}
