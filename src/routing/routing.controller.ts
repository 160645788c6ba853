import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { headerReferences, limitedHeaders } from '../http/api-headers.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { FeedbackBody } from './dto/feedback-body.dto.js';
import { RouteBody } from './dto/route-body.dto.js';
import { type RoutePlan } from './dto/route-plan.dto.js';
import { FeedbackService } from './feedback.service.js';
import { RouteService } from './route.service.js';
import { GIVE_FEEDBACK, PLAN_ROUTE } from './routing-docs.js';

@ApiTags('Routing')
@Controller('v3')
export class RoutingController {
  constructor(
    private readonly routes: RouteService,
    private readonly feedback: FeedbackService,
  ) {}

  @Post('route')
  @HttpCode(200)
  @ApiRoute(PLAN_ROUTE)
  plan(
    @Context() context: RequestContext,
    @ValidBody(RouteBody) body: CheckedBody<RouteBody>,
  ): Promise<RoutePlan> {
    return this.routes.describe(context, body);
  }

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
