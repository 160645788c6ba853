import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { beginCall } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { firstSuccess } from '../routing/first-success.js';
import { Planner } from '../routing/planner.js';
import { chatSurface } from './chat-surface.js';
import { type ChatCompletionsBody } from './dto/chat-completions-body.dto.js';

const NEED = { endpoint: 'messages', format: 'openai', path: '/chat/completions' } as const;

/** Answers in OpenAI's chat completions format. */
@Injectable()
export class ChatService {
  constructor(
    private readonly planner: Planner,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws GatewayError; after the first chunk of a stream, its body throws instead. */
  complete(context: RequestContext, body: CheckedBody<ChatCompletionsBody>): Promise<Answer> {
    const call = beginCall(context, NEED.path, body);
    return this.dispatcher.recorded(call, async () => {
      const plan = this.planner.plan(context.caller, body.value, NEED);
      return firstSuccess(plan, (target) => this.dispatcher.converse(call, target, chatSurface));
    });
  }
}
