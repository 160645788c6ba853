import { Injectable } from '@nestjs/common';
import { Primary } from '../cluster/primary.service.js';
import { type Script } from '../redis/connection.js';
import { Redis } from '../redis/redis.service.js';
import { questionOf } from './in-memory.js';

/**
 * What the processes of a gateway remember together: in Redis where there is one, else in the primary
 * of this machine's workers. A process that is alone shares nothing.
 */
@Injectable()
export class SharedMemory {
  constructor(
    private readonly redis: Redis,
    private readonly primary: Primary,
  ) {}

  /** Whether there may be others to share with. */
  get exists(): boolean {
    return this.redis.state !== 'unused' || this.primary.exists;
  }

  /** What the script answers; undefined, and never an error, where nobody does within 100 ms. */
  async run(
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    if (this.redis.state !== 'unused') return this.redis.run(script, keys, values);
    return this.primary.ask(questionOf(script), { keys, values }, ANSWER_MS);
  }
}

const ANSWER_MS = 100;
