import { Logger } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment } from '../providers/deployment.js';
import { type ProviderConnection } from '../providers/provider.js';
import { isKeyRefused } from './refused-key.js';

/** With these a provider may refuse a key one model, or one request that is too dear, and serve others. */
const MAY_BE_PARTIAL = new Set([402, 403]);

/** What the last refusal of a key was for; undefined for anything. */
interface Refusal {
  readonly purpose: string | undefined;
}

/**
 * Says in the log that a provider refuses a key, which others and fallbacks make good for callers, and
 * that it works again; each once.
 */
export class KeyRefusals {
  private readonly logger = new Logger(KeyRefusals.name);
  /** By provider and number of several, as the metrics have them: a key that takes its place works for it. */
  private readonly refusals = new Map<string, Refusal>();

  /**
   * A call begins.
   *
   * @param deployment undefined where there is but one, which may need no key.
   * @param purpose as in `Deployments.choose`.
   * @returns the means to tell how it ended: with what error, if any.
   */
  watch(
    deployment: Deployment | undefined,
    { provider, apiKey, deployments = [] }: ProviderConnection,
    purpose: string,
  ): (error?: unknown) => void {
    if (!deployment && apiKey === undefined) return () => undefined;
    const number = deployment ? `/${deployments.indexOf(deployment) + 1}` : '';
    const name = provider.name + number;
    const before = this.refusals.get(name);
    return (error) => {
      const refusal = this.refusals.get(name);
      if (error instanceof GatewayError && isKeyRefused(error)) {
        const status = error.details.upstream?.status ?? 0;
        this.refusals.set(name, { purpose: MAY_BE_PARTIAL.has(status) ? purpose : undefined });
        if (!refusal) this.logger.warn(`The provider refuses the key of ${name}: status ${status}`);
      }
      // A call that began before the key was refused says nothing of now.
      else if (error === undefined && refusal && refusal === before) {
        if (refusal.purpose !== undefined && refusal.purpose !== purpose) return;
        this.refusals.delete(name);
        this.logger.log(`The key of ${name} works again`);
      }
    };
  }
}
