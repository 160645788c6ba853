import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIG, type Config } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import { ApiKeys } from './api-keys.service.js';
import { AuthGuard } from './auth.guard.js';
import { FirstStart } from './first-start.service.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ScopeGuard } from './scope.guard.js';
import { WindowCounters } from './window-counters.js';

/** Guards every route: who is it (401), not too often (429), is it allowed (403). */
@Module({
  imports: [
    DatabaseModule,
    ThrottlerModule.forRootAsync({
      inject: [CONFIG],
      useFactory: ({ rateLimit }: Config) => ({
        throttlers: [{ limit: rateLimit.limit, ttl: rateLimit.windowMs }],
        storage: new WindowCounters(),
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
  exports: [ApiKeys, FirstStart],
})
export class AccountsModule {}
