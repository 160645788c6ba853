import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { AnthropicModelsController } from './anthropic-models.controller.js';
import { CatalogueService } from './catalogue.service.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

@Module({
  imports: [ProvidersModule],
  controllers: [ModelsController, AnthropicModelsController],
  providers: [CatalogueService, ModelsService],
  exports: [CatalogueService],
})
export class ModelsModule {}
