import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { Public } from '../http/access.js';
import { Exposition } from './exposition.service.js';

/** `GET /metrics`, for Prometheus; no part of the API. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly exposition: Exposition,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Public()
  async metrics(
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { metricsToken } = this.config;
    if (metricsToken !== undefined && !isSame(authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new GatewayError(401, 'invalid_api_key', 'Metrics need METRICS_TOKEN as a bearer.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const text = await this.exposition.text();
    response.set('content-type', this.exposition.contentType).send(text);
  }
}

/** In a time that does not tell where they differ. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
