import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type ImagesRequest, type ImagesResult } from '../contract/images.js';
import { beginCall, forwarded } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { Planner } from '../routing/planner.js';
import { type CreateImageBody } from './dto/create-image-body.dto.js';

const NEED = { endpoint: 'images', path: '/images/generations' } as const;

/** Makes images with the one model that the request names. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly planner: Planner,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws GatewayError */
  generate(context: RequestContext, body: CheckedBody<CreateImageBody>): Promise<Answer> {
    const call = beginCall(context, NEED.path, body);
    return this.dispatcher.recorded(call, async () => {
      const [target] = this.planner.plan(context.caller, { model: body.value.model }, NEED);
      if (!target) throw new Error('a plan names at least one model');
      const request = forwarded(body) as unknown as ImagesRequest;
      return this.dispatcher.perform(call, target, { ...NEED, request, render });
    });
  }
}

function render({ rest, ...image }: ImagesResult): object {
  return { ...rest, ...image };
}
