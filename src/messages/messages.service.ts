import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { beginCall } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { CONVERSATIONS } from '../routing/choice.js';
import { RouteFinder } from '../routing/route-finder.js';
import { Router } from '../routing/router.service.js';
import { TokenCounter } from '../tokens/token-counter.js';
import { messagesSurface } from './messages-surface.js';
import { type AnthropicMessagesBody } from './dto/anthropic-messages-body.dto.js';
import { type CountTokensBody } from './dto/count-tokens-body.dto.js';

const NEED = CONVERSATIONS.messages;

/** Answers in Anthropic's Messages format, with whichever model the request names. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly finder: RouteFinder,
    private readonly router: Router,
    private readonly dispatcher: Dispatcher,
    private readonly counter: TokenCounter,
  ) {}

  /** @throws GatewayError; after the first event of a stream, its body throws instead. */
  create(context: RequestContext, body: CheckedBody<AnthropicMessagesBody>): Promise<Answer> {
    const call = beginCall(context, NEED.path, body);
    return this.dispatcher.recorded(call, () =>
      this.router.answer(call, NEED, (target, following) =>
        this.dispatcher.converse(call, target, messagesSurface, following),
      ),
    );
  }

  /** The provider's count where it has one, else our own, which a header marks as an estimate. */
  async countTokens(context: RequestContext, body: CheckedBody<CountTokensBody>): Promise<Answer> {
    const path = `${NEED.path}/count_tokens`;
    const call = beginCall(context, path, body);
    const [target] = await this.finder.planOf({ context, body, stream: false }, { ...NEED, path });
    const counted = target && (await this.dispatcher.countTokens(call, target));
    if (counted) return { headers: {}, body: [counted] };
    const estimate = JSON.stringify({ input_tokens: await this.counter.count(body.value) });
    return { headers: { 'x-causeway-estimated': 'true' }, body: [Buffer.from(estimate)] };
  }
}
