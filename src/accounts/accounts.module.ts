import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIG, type Config } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import { ApiKeys } from './api-keys.service.js';
import { AuthGuard } from './auth.guard.js';
import { FirstStart } from './first-start.service.js';
import { LimitsModule } from './limits.module.js';
import { Limits } from './limits.service.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ScopeGuard } from './scope.guard.js';

/** Guards every route: who is it (401), not too often (429), is it allowed (403). */
@Module({
  imports: [
    DatabaseModule,
    LimitsModule,
    ThrottlerModule.forRootAsync({
      imports: [LimitsModule],
      inject: [CONFIG, Limits],
      useFactory: ({ rateLimit }: Config, limits: Limits) => ({
        throttlers: [{ limit: rateLimit.limit, ttl: rateLimit.windowMs }],
        storage: limits,
      }),
    }),
  ],
  providers: [
    ApiKeys,
    FirstStart,
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
  ],
  exports: [ApiKeys, FirstStart, LimitsModule],
})
export class AccountsModule {}
