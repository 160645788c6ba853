import { Module } from '@nestjs/common';
import { Redis } from './redis.service.js';

@Module({ providers: [Redis], exports: [Redis] })
export class RedisModule {}
