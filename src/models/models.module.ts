import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AnthropicModelsController } from './anthropic-models.controller.js';
import { CatalogueAdministration } from './catalogue-administration.service.js';
import { CatalogueService } from './catalogue.service.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

/** The catalogue and its lists. */
@Module({
  imports: [DatabaseModule, ProvidersModule],
  controllers: [ModelsController, AnthropicModelsController],
  providers: [CatalogueAdministration, CatalogueService, ModelsService],
  exports: [CatalogueAdministration, CatalogueService],
})
export class ModelsModule {}
