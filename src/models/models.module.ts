import { Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { Primary } from '../cluster/primary.service.js';
import { DatabaseModule } from '../database/database.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AnthropicModelsController } from './anthropic-models.controller.js';
import { CatalogueAdministration } from './catalogue-administration.service.js';
import { CatalogueService } from './catalogue.service.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';
import { WorkersText } from './workers-text.js';

/** The catalogue and its lists. */
@Module({
  imports: [ClusterModule, DatabaseModule, ProvidersModule],
  controllers: [ModelsController, AnthropicModelsController],
  providers: [
    CatalogueAdministration,
    CatalogueService,
    ModelsService,
    {
      provide: WorkersText,
      useFactory: (primary: Primary) => WorkersText.of(primary),
      inject: [Primary],
    },
  ],
  exports: [CatalogueAdministration, CatalogueService],
})
export class ModelsModule {}
