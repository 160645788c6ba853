import { Module } from '@nestjs/common';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { EmbeddingsController } from './embeddings.controller.js';
import { EmbeddingsService } from './embeddings.service.js';

/** The endpoint of embeddings. */
@Module({
  imports: [RoutingModule, DispatchModule, TokensModule],
  controllers: [EmbeddingsController],
  providers: [EmbeddingsService],
})
export class EmbeddingsModule {}
