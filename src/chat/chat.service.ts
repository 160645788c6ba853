import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { beginCall } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { CONVERSATIONS } from '../routing/choice.js';
import { Router } from '../routing/router.service.js';
import { chatSurface } from './chat-surface.js';
import { type ChatCompletionsBody } from './dto/chat-completions-body.dto.js';

const NEED = CONVERSATIONS.chat;

/** Answers in OpenAI's chat completions format. */
@Injectable()
export class ChatService {
  constructor(
    private readonly router: Router,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws GatewayError; after the first chunk of a stream, its body throws instead. */
  complete(context: RequestContext, body: CheckedBody<ChatCompletionsBody>): Promise<Answer> {
    const call = beginCall(context, NEED, body);
    return this.dispatcher.recorded(call, () =>
      this.router.answer(call, NEED, (target, following) =>
        this.dispatcher.converse(call, target, chatSurface, following),
      ),
    );
  }
}
