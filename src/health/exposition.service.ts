import { Injectable } from '@nestjs/common';
import { Primary } from '../cluster/primary.service.js';
import { Metrics } from '../telemetry/metrics.service.js';

/** Longer than the primary waits for the workers. */
const ANSWER_MS = 2_000;

/** The metrics of all workers as Prometheus reads them. */
@Injectable()
export class Exposition {
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

  /** Everything, in Prometheus' text format. */
  async text(): Promise<string> {
    const together = await this.primary.ask('metrics.all', null, ANSWER_MS);
    return typeof together === 'string' ? together : this.metrics.registry.metrics();
  }
}
