import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { Public } from '../http/access.js';
import { ImageStore } from './image-store.service.js';
import { writeImage } from './write-image.js';

/**
 * Images that the gateway keeps for a while, for whoever has their address. An address is followed,
 * never made, so that the API's document says of it only where it is given.
 */
@ApiExcludeController()
@Controller('v3/images/files')
export class ImageFilesController {
  constructor(
    private readonly store: ImageStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get(':name')
  @Public()
  async read(
    @Param('name') name: string,
    @Query('signature') signature: unknown,
    @Res() response: Response,
  ): Promise<void> {
    await writeImage(response, this.store.open(name, String(signature)), this.config.streamStallMs);
  }
}
