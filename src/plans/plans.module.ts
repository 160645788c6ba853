import { Module } from '@nestjs/common';
import { RoutingModule } from '../routing/routing.module.js';
import { PlansController } from './plans.controller.js';
import { PlansService } from './plans.service.js';

/** What would become of a conversation, without a call. */
@Module({
  imports: [RoutingModule],
  controllers: [PlansController],
  providers: [PlansService],
})
export class PlansModule {}
