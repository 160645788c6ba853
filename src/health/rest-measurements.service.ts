import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CatalogueService } from '../models/catalogue.service.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { Deployments } from '../upstream/deployments.js';

const MS = 1_000;

/** What this process says of the keys and addresses that rest. */
@Injectable()
export class RestMeasurements implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly catalogue: CatalogueService,
    private readonly deployments: Deployments,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'deployment_rest_seconds',
      'For how long a key or an address of several gets no calls, by its number; 0: it serves.',
      () => this.rests(),
      { label: 'deployment', together: 'max' },
    );
  }

  /** By a provider and a number: neither keys nor addresses are for whoever may read metrics. */
  private rests(): ReadonlyMap<string, number> {
    const { providers, connection } = this.catalogue.snapshot;
    return new Map(
      providers.flatMap(({ name }) => {
        const connected = connection(name);
        const states = connected ? this.deployments.states(connected) : [];
        return states.map(({ restMs }, index) => [`${name}/${index + 1}`, restMs / MS] as const);
      }),
    );
  }
}
