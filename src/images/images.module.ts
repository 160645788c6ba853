import { Module } from '@nestjs/common';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

@Module({
  imports: [RoutingModule, DispatchModule],
  controllers: [ImagesController],
  providers: [ImagesService],
})
export class ImagesModule {}
