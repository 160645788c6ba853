import { Module } from '@nestjs/common';
import { RedisModule } from '../redis/redis.module.js';
import { Limits } from './limits.service.js';
import { TokenLimits } from './token-limits.service.js';

@Module({
  imports: [RedisModule],
  providers: [Limits, TokenLimits],
  exports: [Limits, TokenLimits],
})
export class LimitsModule {}
