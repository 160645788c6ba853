import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';

const INTERVAL_MS = 1_000;

/**
 * Logs the calls that were refused before anything was done for them, in a line a second for each
 * key and status: a line for each would be a quarter of what it costs to refuse one.
 */
@Injectable()
export class RefusalLog implements OnApplicationShutdown {
  private readonly logger = new Logger('Load');
  private counts = new Map<string, Refusals>();
  private writing: NodeJS.Timeout | undefined;

  add(caller: Caller, status: number): void {
    const alike = `${caller.keyId} ${status}`;
    const counted = this.counts.get(alike);
    if (counted) counted.calls += 1;
    else this.counts.set(alike, { caller, status, calls: 1 });
    this.writing ??= setTimeout(() => {
      this.write();
    }, INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.writing);
    this.write();
  }

  private write(): void {
    for (const { caller, status, calls } of this.counts.values()) {
      const { accountId: account, keyId: key } = caller;
      const shed = status === 503 && { shed: 'load' };
      this.logger.log({ account, key, calls, status, ...shed, msg: 'calls refused' });
    }
    this.counts = new Map();
    this.writing = undefined;
  }
}

interface Refusals {
  readonly caller: Caller;
  readonly status: number;
  calls: number;
}
