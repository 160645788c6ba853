import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CatalogueService } from '../models/catalogue.service.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { Deployments } from '../upstream/deployments.js';
import { Health } from '../upstream/health.service.js';

const MS = 1_000;
const CIRCUITS = { closed: 0, half_open: 0.5, open: 1 } as const;

/** What this process says of the models that fail, and of the keys and addresses that rest. */
@Injectable()
export class UpstreamMeasurements implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly catalogue: CatalogueService,
    private readonly health: Health,
    private readonly deployments: Deployments,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'circuit_open',
      'Circuits of models that fail too often: 1 open, no calls; 0.5 half open, one call decides.',
      () => this.circuits(),
      { label: 'model', together: 'max' },
    );
    this.metrics.gauge(
      'deployment_rest_seconds',
      'For how long a key or an address of several gets no calls, by its number; 0: it serves.',
      () => this.rests(),
      { label: 'deployment', together: 'max' },
    );
  }

  /** Of the models that there are: one that is disabled or gone fails nobody. */
  private circuits(): ReadonlyMap<string, number> {
    const { snapshot } = this.catalogue;
    const failing = [...this.health.troubled()].filter(([id]) => snapshot.row(id)?.enabled);
    return new Map(failing.map(([id, circuit]) => [id, CIRCUITS[circuit]]));
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
