import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ModelsModule } from '../models/models.module.js';
import { SharedModule } from '../shared/shared.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Exploration } from './exploration.js';
import { FeedbackService } from './feedback.service.js';
import { Opinions } from './opinions.service.js';
import { Planner } from './planner.js';
import { Priors } from './prior.service.js';
import { Ranker } from './ranker.js';
import { RouteFinder } from './route-finder.js';
import { RoutedTasks } from './routed-tasks.service.js';
import { Router } from './router.service.js';
import { RoutingController } from './routing.controller.js';
import { Sessions } from './sessions.service.js';
import { Standings } from './standing.service.js';
import { TrackRecord } from './track-record.js';

/** Which models are tried for a request, and in which order. */
@Module({
  imports: [BillingModule, DatabaseModule, ModelsModule, SharedModule, UpstreamModule],
  controllers: [RoutingController],
  providers: [
    Exploration,
    FeedbackService,
    Opinions,
    Planner,
    Priors,
    Ranker,
    RouteFinder,
    RoutedTasks,
    Router,
    Sessions,
    Standings,
    TrackRecord,
  ],
  exports: [Planner, RouteFinder, Router],
})
export class RoutingModule {}
