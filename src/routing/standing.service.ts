import { Injectable } from '@nestjs/common';
import { Allowance } from '../billing/allowance.service.js';
import { type Caller } from '../contract/caller.js';
import { type Units } from '../contract/money.js';
import { type Learned } from './learned.js';
import { Opinions } from './opinions.service.js';

/** What of a caller's account has to do with the choice of a model. */
interface AccountStanding {
  readonly learned: Learned;
  /** What may still be spent; undefined without a limit. */
  readonly left: Units | undefined;
}

/** Knows how accounts stand. */
@Injectable()
export class Standings {
  constructor(
    private readonly opinions: Opinions,
    private readonly allowance: Allowance,
  ) {}

  /** @throws GatewayError 503 while the database is away. */
  async of(caller: Caller): Promise<AccountStanding> {
    const [learned, left] = await Promise.all([
      this.opinions.of(caller.accountId),
      this.allowance.of(caller),
    ]);
    return { learned, left };
  }
}
