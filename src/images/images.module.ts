import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ImageDelivery } from './delivery.service.js';
import { EditSources } from './edit-sources.service.js';
import { ImageFilesController } from './image-files.controller.js';
import { ImageStore } from './image-store.service.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';
import { ScratchFiles } from './scratch-files.service.js';

/** The endpoints of images, and the images that are kept for a day. */
@Module({
  imports: [AccountsModule, RoutingModule, DispatchModule, UploadsModule],
  controllers: [ImageFilesController, ImagesController],
  providers: [EditSources, ImageDelivery, ImagesService, ImageStore, ScratchFiles],
})
export class ImagesModule {}
