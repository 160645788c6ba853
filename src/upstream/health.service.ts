import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Target } from '../providers/provider.js';
import { Redis } from '../redis/redis.service.js';
import { Breaker, type Circuit, OPEN_MS, type Verdict } from './breaker.js';
import { NOTE_OPEN, STILL_OPEN } from './health-scripts.js';

const LOOK_MS = 1_000;
const SHARED = ['causeway:open'];

/**
 * Knows which models answer at the moment, by the calls that are made anyway. With Redis, a circuit
 * that one process opens is open in all of them within a second or so; without an answer of its, each
 * process judges alone.
 */
@Injectable()
export class Health implements OnModuleInit, OnApplicationShutdown {
  private readonly breakers = new Map<string, Breaker>();
  private look: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly redis: Redis,
  ) {}

  onModuleInit(): void {
    if (!this.config.breaker || this.redis.state === 'unused') return;
    this.look = setInterval(() => void this.learn(), LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.look);
  }

  /** False while no call to the model is let through. */
  isHealthy({ model }: Target): boolean {
    return this.circuit(model.id) !== 'open';
  }

  circuit(modelId: string): Circuit {
    return this.breakers.get(modelId)?.circuit ?? 'closed';
  }

  /** The circuits that are not closed, by model. */
  troubled(): ReadonlyMap<string, Circuit> {
    const circuits = [...this.breakers].map(([id, { circuit }]) => [id, circuit] as const);
    return new Map(circuits.filter(([, circuit]) => circuit !== 'closed'));
  }

  /**
   * Lets a call through, which has to be reported.
   *
   * @throws GatewayError 503 with `Retry-After` while the circuit is open.
   */
  admit({ model }: Target): void {
    if (!this.watches(model.provider)) return;
    const breaker = this.breakers.get(model.id);
    if (!breaker || breaker.admit()) return;
    const message = `The model '${model.id}' is failing at the moment, so it is not called.`;
    throw new GatewayError(503, 'provider_unavailable', message, {
      retryAfter: Math.max(1, Math.ceil(breaker.waitMs / 1_000)),
      upstream: { status: 503, circuit: 'open' },
    });
  }

  /** @param begunAt when the call began, by `performance.now()`; absent for now. */
  report({ model }: Target, verdict: Verdict, begunAt?: number): void {
    if (!this.watches(model.provider)) return;
    const breaker = this.breakerOf(model.id);
    if (breaker.report(verdict, begunAt))
      void this.redis.run(NOTE_OPEN, SHARED, [model.id, OPEN_MS]);
  }

  /** The sandbox fails when it is told to. */
  private watches(provider: string): boolean {
    return this.config.breaker && provider !== 'sandbox';
  }

  private breakerOf(id: string): Breaker {
    const known = this.breakers.get(id) ?? new Breaker(() => performance.now());
    this.breakers.set(id, known);
    return known;
  }

  /** What other processes found: pairs of a model and the milliseconds that it stays closed to calls. */
  private async learn(): Promise<void> {
    const pairs = await this.redis.run(STILL_OPEN, SHARED, []);
    if (!Array.isArray(pairs)) return;
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      const breaker = this.breakerOf(String(pairs[index]));
      if (breaker.circuit !== 'open') breaker.open(Number(pairs[index + 1]));
    }
  }
}

/** What an error says of the model: its own failures count, refusals and limits do not. */
export function verdictOf(error: unknown, wasLeft: boolean): Verdict {
  if (wasLeft || !(error instanceof GatewayError)) return 'neither';
  const { upstream } = error.details;
  if (!upstream) return 'neither';
  return upstream.status === 0 || upstream.status >= 500 ? 'fails' : 'works';
}
