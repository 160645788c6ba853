import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { tokenLimit } from './limit.js';
import { Limits } from './limits.service.js';

/**
 * Counts tokens against the minute of the key that used them. How many a call takes is known when
 * it is settled: one that begins within the limit may end beyond it.
 */
@Injectable()
export class TokenLimits {
  constructor(private readonly limits: Limits) {}

  /** Counts in the background; the order is kept, so that the key's next request sees it. */
  report(caller: Caller, usedTokens: number): void {
    const limit = tokenLimit(caller);
    if (limit && usedTokens > 0) void this.limits.add(limit, usedTokens);
  }
}
