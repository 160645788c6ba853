import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { CreateImageBody } from './dto/create-image-body.dto.js';
import { CreateImageEditBody } from './dto/create-image-edit-body.dto.js';
import { ImagesService } from './images.service.js';

@Controller('v3/images')
export class ImagesController {
  constructor(
    private readonly images: ImagesService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post('generations')
  @HttpCode(200)
  async generate(
    @Context() context: RequestContext,
    @ValidBody(CreateImageBody) body: CheckedBody<CreateImageBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.images.generate(context, body));
  }

  @Post('edits')
  @HttpCode(200)
  async edit(
    @Context() context: RequestContext,
    @ValidBody(CreateImageEditBody) body: CheckedBody<CreateImageEditBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.images.edit(context, body));
  }
}
