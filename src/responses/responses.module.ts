import { Module } from '@nestjs/common';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { ResponsesController } from './responses.controller.js';
import { ResponsesService } from './responses.service.js';

/** The surface of OpenAI’s Responses. */
@Module({
  imports: [RoutingModule, DispatchModule],
  controllers: [ResponsesController],
  providers: [ResponsesService],
})
export class ResponsesModule {}
