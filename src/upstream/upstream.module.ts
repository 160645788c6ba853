import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { SharedModule } from '../shared/shared.module.js';
import { Deployments } from './deployments.js';
import { Health } from './health.service.js';
import { Retries } from './retries.js';
import { SharedCircuits } from './shared-circuits.service.js';
import { SharedRests } from './shared-rests.service.js';
import { UpstreamClient } from './upstream-client.js';

/** The way to providers: transport, health, keys and retries. */
@Module({
  imports: [SharedModule],
  providers: [
    UpstreamClient,
    Health,
    SharedCircuits,
    SharedRests,
    {
      provide: Deployments,
      inject: [SharedRests],
      useFactory: (rests: SharedRests) => new Deployments(undefined, undefined, rests),
    },
    {
      provide: Retries,
      inject: [CONFIG],
      useFactory: ({ timeouts }: Config) => new Retries(timeouts),
    },
  ],
  exports: [UpstreamClient, Health, Deployments, Retries],
})
export class UpstreamModule {}
