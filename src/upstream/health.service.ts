import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Target } from '../providers/provider.js';
import { Breaker, type Circuit } from './breaker.js';
import { type Permit } from './permit.js';
import { type BreakerTotals } from './breaker-window.js';
import { SharedCircuits } from './shared-circuits.service.js';
import { type Judge, OF_ONE } from './verdict.js';

/** A model that nobody has called for so long may be gone: what was known of it is forgotten. */
const FORGOTTEN_MS = 15 * 60_000;

/** How a model does, as this process knows it. */
interface ModelHealth extends BreakerTotals {
  readonly model: string;
  readonly circuit: Circuit;
}

/**
 * Knows which models answer at the moment, by the calls that are made anyway. A circuit that one
 * process opens is open in all that share a memory within a second or so, and one of them probes for
 * all. Calls of a model that fails somewhere are counted together.
 */
@Injectable()
export class Health implements OnModuleInit {
  private readonly logger = new Logger(Health.name);
  private readonly breakers = new Map<string, Breaker>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly shared: SharedCircuits,
  ) {}

  async onModuleInit(): Promise<void> {
    if (!this.config.breaker) return;
    await this.shared.share({ known: this.breakers, of: (model) => this.breakerOf(model) });
  }

  /** False while no call to the model is let through. */
  isHealthy({ model }: Target): boolean {
    return this.breakers.get(model.id)?.isShut !== true;
  }

  circuit(modelId: string): Circuit {
    return this.breakers.get(modelId)?.circuit ?? 'closed';
  }

  /** The models that were called in the last ten seconds, and those whose circuit is not closed. */
  models(): readonly ModelHealth[] {
    return [...this.remembered()]
      .map(([model, { circuit, totals }]) => ({ model, circuit, ...totals }))
      .filter(({ circuit, calls }) => calls > 0 || circuit !== 'closed');
  }

  /** The circuits that are not closed, by model. */
  troubled(): ReadonlyMap<string, Circuit> {
    const failing = this.models().filter(({ circuit }) => circuit !== 'closed');
    return new Map(failing.map(({ model, circuit }) => [model, circuit]));
  }

  /**
   * Lets a call through, which has to tell how it ended.
   *
   * @param judge as in `Breaker.admit`.
   * @throws GatewayError 503 with `Retry-After` while the circuit is open.
   */
  admit({ model }: Target, judge?: Judge): Permit {
    if (!this.isWatched(model)) return unwatched(judge);
    const breaker = this.breakerOf(model.id);
    const permit = breaker.admit(judge);
    if (permit) return permit;
    throw failingNow(model.id, breaker.waitMs);
  }

  /**
   * For a call that says nothing of a model, such as a count, and so is no probe.
   *
   * @throws GatewayError 503 until the circuit is closed.
   */
  refuseUntilClosed({ model }: Target): void {
    const breaker = this.isWatched(model) ? this.breakers.get(model.id) : undefined;
    if (breaker && breaker.circuit !== 'closed') throw failingNow(model.id, breaker.waitMs);
  }

  /** @throws GatewayError 503 as `admit` does, but lets nothing through. */
  refuseWhileOpen({ model }: Target): void {
    const breaker = this.isWatched(model) ? this.breakers.get(model.id) : undefined;
    if (breaker?.turnsAway()) throw failingNow(model.id, breaker.waitMs);
  }

  /** The sandbox fails when it is told to. */
  private isWatched({ provider }: Target['model']): boolean {
    return this.config.breaker && provider !== 'sandbox';
  }

  /** Those of models that were called lately. */
  private remembered(): ReadonlyMap<string, Breaker> {
    const idle = [...this.breakers].filter(([, { idleMs }]) => idleMs > FORGOTTEN_MS);
    for (const [id] of idle) this.breakers.delete(id);
    return this.breakers;
  }

  private breakerOf(id: string): Breaker {
    const known = this.breakers.get(id) ?? this.newBreaker(id);
    this.breakers.set(id, known);
    return known;
  }

  private newBreaker(id: string): Breaker {
    const breaker: Breaker = new Breaker({
      now: () => performance.now(),
      slowMs: this.config.breakerSlowMs,
      changed: (circuit, before) => {
        this.shared.changed(id, breaker.waitMs);
        // Not each probe that fails: a provider may be down for hours.
        if (circuit === 'closed') this.logger.log(`The circuit of ${id} is closed: it works again`);
        else if (before === 'closed') this.logger.warn(`The circuit of ${id} is open: it fails`);
      },
      failed: () => {
        this.shared.failed();
      },
    });
    return breaker;
  }
}

function failingNow(id: string, waitMs: number): GatewayError {
  const message = `The model '${id}' is failing at the moment, so it is not called.`;
  return new GatewayError(503, 'provider_unavailable', message, {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)),
    upstream: { status: 503, circuit: 'open' },
  });
}

/** Of a call that says nothing of a model. @param judge as in `Breaker.admit`. */
export function unwatched(judge = OF_ONE): Permit {
  return { answered: () => undefined, end: (verdict) => void judge.verdict(verdict) };
}
