import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { CREATE_CHAT_COMPLETION } from './chat-docs.js';
import { ChatService } from './chat.service.js';
import { ChatCompletionsBody } from './dto/chat-completions-body.dto.js';

/** OpenAI’s chat completions. */
@ApiTags('Chat')
@Controller('v3/chat/completions')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiRoute(CREATE_CHAT_COMPLETION)
  async complete(
    @Context() context: RequestContext,
    @ValidBody(ChatCompletionsBody) body: CheckedBody<ChatCompletionsBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.chat.complete(context, body));
  }
}
