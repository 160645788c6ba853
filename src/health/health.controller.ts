import { Controller, Get, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../http/access.js';
import { HealthService } from './health.service.js';

@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Public()
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  async ready(@Res({ passthrough: true }) response: Response) {
    const readiness = await this.health.readiness();
    response.status(readiness.status === 'ok' ? 200 : 503);
    return readiness;
  }
}
