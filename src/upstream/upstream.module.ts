import { Module } from '@nestjs/common';
import { RedisModule } from '../redis/redis.module.js';
import { Health } from './health.service.js';
import { UpstreamClient } from './upstream-client.js';

@Module({
  imports: [RedisModule],
  providers: [UpstreamClient, Health],
  exports: [UpstreamClient, Health],
})
export class UpstreamModule {}
