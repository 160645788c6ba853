import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import {
  type ImageEditRequest,
  type ImagesRequest,
  type ImagesResult,
} from '../contract/images.js';
import { beginCall, forwarded } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { beforeDeadline } from '../dispatch/patience.js';
import { Planner } from '../routing/planner.js';
import { ImageDelivery } from './delivery.service.js';
import { type CreateImageBody } from './dto/create-image-body.dto.js';
import { type EditInput } from './edit-input.js';
import { EditSources } from './edit-sources.service.js';
import { imageParts, joinImages } from './join-images.js';
import { ownOrigin } from './own-origin.js';

const GENERATE = { endpoint: 'images', path: '/images/generations' } as const;
const EDIT = { endpoint: 'image-edits', path: '/images/edits' } as const;
const SPLIT = { parts: imageParts, join: joinImages } as const;

/** A large one in base64. */
const IMAGE_BYTES = 2 * 1024 * 1024;

type Body = CheckedBody<{ model: string; n?: number; response_format?: unknown }>;
type Target = ReturnType<Planner['plan']>[number];

/** Makes and edits images with the one model that the request names. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly planner: Planner,
    private readonly dispatcher: Dispatcher,
    private readonly sources: EditSources,
    private readonly delivery: ImageDelivery,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws GatewayError */
  async generate(context: RequestContext, body: CheckedBody<CreateImageBody>): Promise<Answer> {
    const call = beginCall(context, GENERATE, body);
    return this.dispatcher.recorded(call, async () => {
      const target = this.targetOf(context, body, GENERATE);
      const request = forwarded(body) as unknown as ImagesRequest;
      const { endpoint } = GENERATE;
      const job = { endpoint, request, render, split: SPLIT };
      return this.delivered(context, body, target, this.dispatcher.perform(call, target, job));
    });
  }

  /** @throws GatewayError */
  async edit(context: RequestContext, input: EditInput): Promise<Answer> {
    const { body, files } = input;
    try {
      this.sources.checkAddresses(input);
      const call = beginCall(context, EDIT, body);
      return await this.dispatcher.recorded(call, async () => {
        const target = this.targetOf(context, body, EDIT);
        const found = await beforeDeadline(call, this.config.timeouts.totalMs, ({ ends: signal }) =>
          this.sources.resolve({ ...context, signal }, target.model, input),
        );
        // From here on the request is what is asked for, also where its cost is estimated.
        Object.assign(body.value, found);
        const request = forwarded(body) as unknown as ImageEditRequest;
        const mayRelay = isAsGiven(input, request);
        const job = { endpoint: EDIT.endpoint, request, render, split: SPLIT, mayRelay };
        return this.delivered(context, body, target, this.dispatcher.perform(call, target, job));
      });
    } finally {
      await files.dispose();
    }
  }

  private targetOf(context: RequestContext, { value }: Body, need: typeof GENERATE | typeof EDIT) {
    const [target] = this.planner.plan(context.caller, { model: value.model }, need);
    if (!target) throw new Error('a plan names at least one model');
    if (value.response_format !== 'url') context.foreseeAnswer((value.n ?? 1) * IMAGE_BYTES);
    return target;
  }

  private async delivered(
    context: RequestContext,
    { value }: Body,
    { connection }: Target,
    answer: Promise<Answer>,
  ): Promise<Answer> {
    const paid = await answer;
    return this.delivery.deliver(paid, {
      format: value.response_format,
      ownOrigin: ownOrigin(this.config, context),
      providerUrls: [connection, ...(connection.deployments ?? [])].map(({ baseUrl }) => baseUrl),
      signal: context.signal,
      holdAnswer: context.holdAnswer,
      leftMs: context.receivedAt + this.config.timeouts.totalMs - performance.now(),
    });
  }
}

/** Whether every image stands in the caller's own JSON, as a provider takes it. */
function isAsGiven({ images, mask }: EditInput, request: ImageEditRequest): boolean {
  const given = mask ? [...images, mask] : images;
  const sources = request.mask ? [...request.images, request.mask] : request.images;
  return given.every((image, index) => {
    const url = 'ref' in image ? image.ref.image_url : undefined;
    const source = sources[index];
    return url != null && source !== undefined && (url.startsWith('data:') || 'url' in source);
  });
}

function render({ rest, ...image }: ImagesResult): object {
  return { ...rest, ...image };
}
