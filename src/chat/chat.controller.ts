import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { AnswerWriter } from '../http/answer-writer.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { ChatService } from './chat.service.js';
import { ChatCompletionsBody } from './dto/chat-completions-body.dto.js';

@Controller('v3/chat/completions')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly writer: AnswerWriter,
  ) {}

  @Post()
  @HttpCode(200)
  async complete(
    @Context() context: RequestContext,
    @ValidBody(ChatCompletionsBody) body: CheckedBody<ChatCompletionsBody>,
    @Res() response: Response,
  ): Promise<void> {
    await this.writer.write(response, await this.chat.complete(context, body));
  }
}
