import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { beginCall } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { CONVERSATIONS } from '../routing/choice.js';
import { Router } from '../routing/router.service.js';
import { type ResponsesBody } from './dto/responses-body.dto.js';
import { responsesSurface } from './responses-surface.js';
import { stateless } from './stateless.js';

const NEED = CONVERSATIONS.responses;

/** Answers in the format of OpenAI's Responses API. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly router: Router,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws GatewayError; after the first event of a stream, its body throws instead. */
  create(context: RequestContext, sent: CheckedBody<ResponsesBody>): Promise<Answer> {
    const body = stateless(sent);
    const call = beginCall(context, NEED, body);
    return this.dispatcher.recorded(call, () =>
      this.router.answer(call, NEED, (target, following) =>
        this.dispatcher.converse(call, target, responsesSurface, following),
      ),
    );
  }
}
