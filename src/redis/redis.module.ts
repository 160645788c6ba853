import { Module } from '@nestjs/common';
import { Redis } from './redis.service.js';

/** One client for all who share something between processes. */
@Module({ providers: [Redis], exports: [Redis] })
export class RedisModule {}
