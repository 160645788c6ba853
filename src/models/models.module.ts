import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { AnthropicModelsController } from './anthropic-models.controller.js';
import { CatalogueAdministration } from './catalogue-administration.service.js';
import { CatalogueModule } from './catalogue.module.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

/** The catalogue, with what administrators have changed of it, and its lists. */
@Module({
  imports: [CatalogueModule, DatabaseModule],
  controllers: [ModelsController, AnthropicModelsController],
  providers: [CatalogueAdministration, ModelsService],
  exports: [CatalogueAdministration, CatalogueModule],
})
export class ModelsModule {}
