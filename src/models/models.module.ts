import { Module } from '@nestjs/common';
import { ownProvider } from '../providers/own-provider.js';
import { PROVIDERS } from '../providers/providers.js';
import { AnthropicModelsController } from './anthropic-models.controller.js';
import { type CatalogueSources } from './catalogue.js';
import { CATALOGUE_SOURCES, CatalogueService } from './catalogue.service.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

const SOURCES: CatalogueSources = { providers: PROVIDERS, ownProvider };

@Module({
  controllers: [ModelsController, AnthropicModelsController],
  providers: [CatalogueService, ModelsService, { provide: CATALOGUE_SOURCES, useValue: SOURCES }],
  exports: [CatalogueService],
})
export class ModelsModule {}
