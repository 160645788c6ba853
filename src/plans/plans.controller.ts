import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { ValidBody } from '../http/valid-body.js';
import { RouteBody } from './dto/route-body.dto.js';
import { type RoutePlan } from './dto/route-plan.dto.js';
import { PLAN_ROUTE } from './plans-docs.js';
import { PlansService } from './plans.service.js';

/** What would become of a conversation. */
@ApiTags('Routing')
@Controller('v3')
export class PlansController {
  constructor(private readonly plans: PlansService) {}

  @Post('route')
  @HttpCode(200)
  @ApiRoute(PLAN_ROUTE)
  plan(
    @Context() context: RequestContext,
    @ValidBody(RouteBody) body: CheckedBody<RouteBody>,
  ): Promise<RoutePlan> {
    return this.plans.describe(context, body);
  }
}
