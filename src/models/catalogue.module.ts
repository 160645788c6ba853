import { Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { Primary } from '../cluster/primary.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { CatalogueService } from './catalogue.service.js';
import { WorkersText } from './workers-text.js';

/** The catalogue by settings and the operator's file; without a database. */
@Module({
  imports: [ClusterModule, ProvidersModule],
  providers: [
    CatalogueService,
    {
      provide: WorkersText,
      useFactory: (primary: Primary) => WorkersText.of(primary),
      inject: [Primary],
    },
  ],
  exports: [CatalogueService],
})
export class CatalogueModule {}
