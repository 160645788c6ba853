import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { Administration } from './administration.service.js';
import { AnthropicModelsController } from './anthropic-models.controller.js';
import { CatalogueService } from './catalogue.service.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

@Module({
  imports: [DatabaseModule, ProvidersModule],
  controllers: [ModelsController, AnthropicModelsController],
  providers: [Administration, CatalogueService, ModelsService],
  exports: [Administration, CatalogueService],
})
export class ModelsModule {}
