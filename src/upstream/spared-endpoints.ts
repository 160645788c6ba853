import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment, identityOf } from '../providers/deployment.js';

/** How long a deployment is not asked for a model that it does not have, while another one may. */
const LACKED_MS = 60_000;

/**
 * Whether a provider says that it does not have the model: a server has another one loaded, a key has no
 * right to it, or the path is wrong. Something else that is missing is the caller's.
 */
export function isLacked(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { status, unsent } = error.details.upstream ?? {};
  // What has begun is missing, and not the model that has begun it.
  if (status !== 404 || unsent === false) return false;
  return /\bmodel/i.test(error.message) || !OF_CALLERS.test(error.message);
}

/** What callers name beside a model, and may name wrongly. */
const OF_CALLERS =
  /\b(?:file|container|response|conversation|thread|skill|cache|prompt|vector store|item)/i;

/**
 * The endpoints of models for which a deployment is spared a while: it has said not to have the model, or to
 * take no more calls of this kind.
 */
export class SparedEndpoints {
  /** No more than there are models in the catalogue, of each endpoint and deployment. */
  private readonly until = new Map<string, Map<string, number>>();

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  /** Whether the deployment is spared calls for this. */
  has(deployment: Deployment, purpose: string): boolean {
    if (this.until.size === 0) return false;
    return (this.until.get(identityOf(deployment))?.get(purpose) ?? -Infinity) > this.now();
  }

  /** The deployment is spared this from now on, for so many milliseconds. */
  note(deployment: Deployment, purpose: string, ms = LACKED_MS): void {
    const name = identityOf(deployment);
    const known = this.until.get(name) ?? new Map<string, number>();
    this.until.set(
      name,
      known.set(purpose, Math.max(this.now() + ms, known.get(purpose) ?? -Infinity)),
    );
  }

  /** Milliseconds for which the deployment is spared something; 0 for nothing. */
  longestMs(deployment: Deployment): number {
    const until = this.until.get(identityOf(deployment))?.values() ?? [];
    return Math.max(0, Math.max(-Infinity, ...until) - this.now());
  }
}
