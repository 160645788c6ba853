import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { EDIT_IMAGES, GENERATE_IMAGES } from './images-docs.js';
import { CreateImageBody } from './dto/create-image-body.dto.js';
import { EditBody } from './edit-body.js';
import { type EditInput } from './edit-input.js';
import { ImagesService } from './images.service.js';

/** Images made and edited by prompts. */
@ApiTags('Images')
@Controller('v3/images')
export class ImagesController {
  constructor(
    private readonly images: ImagesService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post('generations')
  @HttpCode(200)
  @ApiRoute(GENERATE_IMAGES)
  async generate(
    @Context() context: RequestContext,
    @ValidBody(CreateImageBody) body: CheckedBody<CreateImageBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.images.generate(context, body));
  }

  @Post('edits')
  @HttpCode(200)
  @ApiRoute(EDIT_IMAGES)
  async edit(
    @Context() context: RequestContext,
    @EditBody() input: EditInput,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.images.edit(context, input));
  }
}
