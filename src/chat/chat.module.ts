import { Module } from '@nestjs/common';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';

/** The surface of OpenAI’s chat completions. */
@Module({
  imports: [RoutingModule, DispatchModule],
  controllers: [ChatController],
  providers: [ChatService],
})
export class ChatModule {}
