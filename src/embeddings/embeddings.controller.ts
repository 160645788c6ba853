import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { CREATE_EMBEDDINGS } from './embeddings-docs.js';
import { CreateEmbeddingsBody } from './dto/create-embeddings-body.dto.js';
import { EmbeddingsService } from './embeddings.service.js';

/** Vectors for texts. */
@ApiTags('Embeddings')
@Controller('v3/embeddings')
export class EmbeddingsController {
  constructor(
    private readonly embeddings: EmbeddingsService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiRoute(CREATE_EMBEDDINGS)
  async create(
    @Context() context: RequestContext,
    @ValidBody(CreateEmbeddingsBody) body: CheckedBody<CreateEmbeddingsBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.embeddings.create(context, body));
  }
}
