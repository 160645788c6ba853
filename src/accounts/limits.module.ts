import { Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { RedisModule } from '../redis/redis.module.js';
import { Limits } from './limits.service.js';
import { TokenLimits } from './token-limits.service.js';

/** Rate limits, calls at once and tokens a minute, counted with or without Redis. */
@Module({
  imports: [ClusterModule, RedisModule],
  providers: [Limits, TokenLimits],
  exports: [Limits, TokenLimits],
})
export class LimitsModule {}
