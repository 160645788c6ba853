import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { headerReferences, limitedHeaders } from '../http/api-headers.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { FeedbackBody } from './dto/feedback-body.dto.js';
import { FeedbackService } from './feedback.service.js';
import { GIVE_FEEDBACK } from './routing-docs.js';

/** How good answers were. */
@ApiTags('Routing')
@Controller('v3')
export class RoutingController {
  constructor(private readonly feedback: FeedbackService) {}

  @Post('feedback')
  @HttpCode(204)
  @ApiRoute(GIVE_FEEDBACK)
  @ApiNoContentResponse({
    description: 'It is noted.',
    headers: headerReferences(limitedHeaders('openai')),
  })
  give(
    @Context() context: RequestContext,
    @ValidBody(FeedbackBody) body: CheckedBody<FeedbackBody>,
  ): Promise<void> {
    return this.feedback.give(context, body.value);
  }
}
