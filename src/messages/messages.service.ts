import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { GatewayError } from '../contract/gateway-error.js';
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
    const call = beginCall(context, NEED, body);
    return this.dispatcher.recorded(call, () =>
      this.router.answer(call, NEED, (target, following) =>
        this.dispatcher.converse(call, target, messagesSurface, following),
      ),
    );
  }

  /**
   * The provider's count where it has one, else our own, which a header marks as an estimate: also where
   * no model can take the request, as one that is too long, which an agent has to know to shorten it.
   *
   * @throws GatewayError as a message, but for that; a provider's refusal where no other model follows.
   */
  async countTokens(context: RequestContext, body: CheckedBody<CountTokensBody>): Promise<Answer> {
    const need = { ...NEED, path: `${NEED.path}/count_tokens` };
    const call = beginCall(context, need, body);
    const plan = await this.finder
      .planOf({ context, body, stream: false, isUnpaid: true }, need)
      .catch(emptyWithoutCandidate);
    const counted = await this.dispatcher.countTokens(call, plan);
    if (counted) return { headers: {}, body: [counted] };
    const tokens = await this.counter.count(body.value, context.caller.accountId);
    const estimate = JSON.stringify({ input_tokens: tokens });
    return { headers: { 'x-causeway-estimated': 'true' }, body: [Buffer.from(estimate)] };
  }
}

function emptyWithoutCandidate(error: unknown): readonly never[] {
  if (error instanceof GatewayError && error.code === 'router_no_candidate') return [];
  throw error;
}
