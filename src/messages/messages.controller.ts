import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { COUNT_TOKENS, CREATE_MESSAGE } from './messages-docs.js';
import { AnthropicMessagesBody } from './dto/anthropic-messages-body.dto.js';
import { CountTokensBody } from './dto/count-tokens-body.dto.js';
import { MessagesService } from './messages.service.js';

/** Anthropic’s Messages. */
@ApiTags('Messages')
@Controller('v3/v1/messages')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiRoute(CREATE_MESSAGE)
  async create(
    @Context() context: RequestContext,
    @ValidBody(AnthropicMessagesBody) body: CheckedBody<AnthropicMessagesBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.messages.create(context, body));
  }

  @Post('count_tokens')
  @HttpCode(200)
  @ApiRoute(COUNT_TOKENS)
  async countTokens(
    @Context() context: RequestContext,
    @ValidBody(CountTokensBody) body: CheckedBody<CountTokensBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.messages.countTokens(context, body));
  }
}
