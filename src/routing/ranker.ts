import { Injectable } from '@nestjs/common';
import { CatalogueService } from '../models/catalogue.service.js';
import { type Target } from '../providers/provider.js';
import { Health } from '../upstream/health.service.js';
import { Priors } from './prior.service.js';
import { type Ranking, type RankingTask, rankModels } from './rank-models.js';
import { TrackRecord } from './track-record.js';

/** Ranks models by what the gateway knows of them. */
@Injectable()
export class Ranker {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly priors: Priors,
    private readonly records: TrackRecord,
    private readonly health: Health,
  ) {}

  /** Ranks those of the targets that can take the request. */
  rank(targets: readonly Target[], task: RankingTask): Ranking {
    const { priors, records, health } = this;
    const beliefs = priors.of(this.catalogue.snapshot.models);
    const echo = beliefs.get('sandbox/echo');
    return rankModels(targets, task, {
      // Not listed are retired models, and the sandbox's fault drills, which stand for `echo`.
      believed: (model) =>
        beliefs.get(model.id) ??
        (model.provider === 'sandbox' ? echo : undefined) ??
        priors.of([model]).get(model.id),
      prior: priors.prior,
      latencyMs: (model) => records.latencyMs(model.id, task.stream),
      isHealthy: (target) => health.isHealthy(target),
      isFailing: (model) => records.isFailing(model.id),
    });
  }
}
