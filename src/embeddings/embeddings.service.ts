import { Injectable } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type EmbeddingsRequest } from '../contract/embeddings.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Model } from '../contract/model.js';
import { beginCall, forwarded } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { Planner } from '../routing/planner.js';
import { TokenDecoder } from '../tokens/token-decoder.js';
import { type CreateEmbeddingsBody } from './dto/create-embeddings-body.dto.js';
import { EmbeddingsRendering } from './render-embeddings.js';

const NEED = { endpoint: 'embeddings', path: '/embeddings' } as const;

/** Turns text into vectors with the one model that the request names. */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly planner: Planner,
    private readonly dispatcher: Dispatcher,
    private readonly decoder: TokenDecoder,
  ) {}

  /** @throws GatewayError */
  create(context: RequestContext, body: CheckedBody<CreateEmbeddingsBody>): Promise<Answer> {
    const call = beginCall(context, NEED, body);
    return this.dispatcher.recorded(call, async () => {
      const [target] = this.planner.plan(context.caller, { model: body.value.model }, NEED);
      if (!target) throw new Error('a plan names at least one model');
      checkDimensions(body.value, target.model);
      context.foreseeAnswer(answerBytes(body.value, target.model));
      const asked = forwarded(body) as unknown as EmbeddingsRequest;
      const [dialect] = target.connection.provider.endpoints.embeddings ?? [];
      const request = dialect?.takesTokens
        ? asked
        : await this.inText(asked, context.caller.accountId);
      const rendering = new EmbeddingsRendering(
        target.model.id,
        request.encoding_format ?? 'float',
      );
      const job = { ...NEED, request, render: rendering.head };
      return rendering.complete(await this.dispatcher.perform(call, target, job));
    });
  }

  /** The request with text in place of tokens, and itself when it has text already. */
  private async inText(request: EmbeddingsRequest, asker: string): Promise<EmbeddingsRequest> {
    const { input } = request;
    if (typeof input === 'string' || typeof input[0] === 'string') return request;
    if (typeof input[0] !== 'number') {
      return { ...request, input: await this.decoder.decode(input as number[][], asker) };
    }
    const [text = ''] = await this.decoder.decode([input as number[]], asker);
    return { ...request, input: text };
  }
}

/** About what the vectors take in JSON; a request of a few kilobytes may be answered with a hundred megabytes. */
function answerBytes(value: CreateEmbeddingsBody, { capabilities }: Model): number {
  const { input } = value;
  const isOne = typeof input === 'string' || typeof input[0] === 'number';
  const numbers = value.dimensions ?? capabilities.dimensions ?? USUAL_DIMENSIONS;
  return (isOne ? 1 : input.length) * numbers * BYTES_PER_NUMBER[value.encoding_format ?? 'float'];
}

/** Of a model of which it is not known. */
const USUAL_DIMENSIONS = 1_536;
/** As most providers write one, with the punctuation around it. */
const BYTES_PER_NUMBER = { float: 12, base64: 6 };

function checkDimensions({ dimensions }: CreateEmbeddingsBody, model: Model): void {
  const { supports_dimensions: asked, dimensions_by_truncation: cut } = model.capabilities;
  if (dimensions == null || asked || cut) return;
  const message = `The model '${model.id}' does not support the parameter 'dimensions'.`;
  throw new GatewayError(400, 'unsupported_parameter', message, { param: 'dimensions' });
}
