import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { ResponsesBody } from './dto/responses-body.dto.js';
import { CREATE_RESPONSE } from './responses-docs.js';
import { ResponsesService } from './responses.service.js';

/** OpenAI’s Responses. */
@ApiTags('Responses')
@Controller('v3/responses')
export class ResponsesController {
  constructor(
    private readonly responses: ResponsesService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiRoute(CREATE_RESPONSE)
  async create(
    @Context() context: RequestContext,
    @ValidBody(ResponsesBody) body: CheckedBody<ResponsesBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.responses.create(context, body));
  }
}
