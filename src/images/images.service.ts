import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type ImagesRequest, type ImagesResult } from '../contract/images.js';
import { type Model } from '../contract/model.js';
import { beginCall, forwarded } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { Planner } from '../routing/planner.js';
import { type CreateImageBody } from './dto/create-image-body.dto.js';
import { type CreateImageEditBody } from './dto/create-image-edit-body.dto.js';
import { checkAddresses, checkReachable } from './image-references.js';

const GENERATE = { endpoint: 'images', path: '/images/generations' } as const;
const EDIT = { endpoint: 'image-edits', path: '/images/edits' } as const;

/** Makes and edits images with the one model that the request names. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly planner: Planner,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws GatewayError */
  generate(context: RequestContext, body: CheckedBody<CreateImageBody>): Promise<Answer> {
    return this.perform(context, body, GENERATE);
  }

  /** @throws GatewayError */
  edit(context: RequestContext, body: CheckedBody<CreateImageEditBody>): Promise<Answer> {
    checkAddresses(body.value);
    return this.perform(context, body, EDIT, (model) => {
      checkReachable(body.value, model);
    });
  }

  private perform(
    context: RequestContext,
    body: CheckedBody<{ model: string }>,
    need: typeof GENERATE | typeof EDIT,
    check?: (model: Model) => void,
  ): Promise<Answer> {
    const call = beginCall(context, need.path, body);
    return this.dispatcher.recorded(call, async () => {
      const [target] = this.planner.plan(context.caller, { model: body.value.model }, need);
      if (!target) throw new Error('a plan names at least one model');
      check?.(target.model);
      const request = forwarded(body) as unknown as ImagesRequest;
      return this.dispatcher.perform(call, target, { endpoint: need.endpoint, request, render });
    });
  }
}

function render({ rest, ...image }: ImagesResult): object {
  return { ...rest, ...image };
}
