import { Module } from '@nestjs/common';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';

/** The surface of Anthropic’s Messages. */
@Module({
  imports: [RoutingModule, DispatchModule, TokensModule],
  controllers: [MessagesController],
  providers: [MessagesService],
})
export class MessagesModule {}
