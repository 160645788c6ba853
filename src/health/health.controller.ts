import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { Public } from '../http/access.js';
import { ApiRoute } from '../http/api-route.js';
import { CHECK_LIVENESS, CHECK_READINESS } from './health-docs.js';
import { HealthService } from './health.service.js';

/** Whether the process lives, and whether it should get traffic. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Public()
  @ApiRoute(CHECK_LIVENESS)
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @ApiRoute(CHECK_READINESS)
  async ready(@Res({ passthrough: true }) response: Response) {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ok') response.status(503).setHeader('retry-after', '1');
    return readiness;
  }
}
