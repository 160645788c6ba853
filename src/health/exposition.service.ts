import { Injectable } from '@nestjs/common';
import { Primary } from '../cluster/primary.service.js';
import { GatewayError } from '../contract/gateway-error.js';
import { doneTogether } from '../schedule/done-together.js';
import { Metrics } from '../telemetry/metrics.service.js';

/** Longer than the primary waits for the workers, twice: it may be adding up for others. */
const ANSWER_MS = 3_000;

/** The metrics of all workers as Prometheus reads them. */
@Injectable()
export class Exposition {
  /**
   * Everything, in Prometheus' text format. It takes long where many models were called, and needs no key.
   *
   * @throws GatewayError 503 when the first process of several does not answer: what this one has
   *   counted alone would look like a new start of everything.
   */
  readonly text = doneTogether(() => this.collected());

  constructor(
    private readonly metrics: Metrics,
    private readonly primary: Primary,
  ) {
    primary.on('metrics.own', () => metrics.registry.getMetricsAsJSON());
  }

  /** The media type of the text. */
  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  private async collected(): Promise<string> {
    if (!this.primary.exists) return this.metrics.registry.metrics();
    const together = await this.primary.ask('metrics.all', null, ANSWER_MS);
    if (typeof together === 'string') return together;
    throw new GatewayError(503, 'provider_unavailable', 'The metrics take too long to add up.');
  }
}
