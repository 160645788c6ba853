import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { heapMemory, machineMemory } from '../config/machine.js';
import { LEAST_BODIES } from '../config/read-config.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { Shares } from './shares.js';

const MB = 1024 * 1024;
/** Where nothing else is set: this part of the machine's or the container's memory. */
const PART_OF_MEMORY = 1 / 4;
/**
 * And no more than this part of the heap, which does not grow with a large machine: a body of nothing but
 * fractions takes nearly twice there what is set aside for it.
 */
const PART_OF_HEAP = 1 / 2;
const LEAST_BYTES = 256 * MB;
/** What only requests up to `SMALL_BYTES` may use, so that they pass when large ones fill the rest. */
const PART_FOR_SMALL = 1 / 8;
const SMALL_BYTES = MB;
/**
 * The last of what a request may use is for accounts that hold nothing else, or no more than they leave free: so
 * they can begin when others have filled the rest. It is more than the part for small ones, so that also a large
 * one can, or an answer with images, when others' small ones have filled it.
 */
const PART_FOR_OTHERS = 3 / 16;
/** No more is set aside for an answer that has not come, so that the longest one can be asked for, too. */
const PART_FORESEEN = 1 / 4;

/** The memory that requests in flight may take together, and each account's part of it. */
@Injectable()
export class MemoryBudget {
  private readonly shares = new Shares();
  /** Of this process. */
  private readonly bytes: number;

  constructor(
    @Inject(CONFIG) { maxBufferedBytes, bodyLimitBytes, workers }: Config,
    private readonly metrics: Metrics,
  ) {
    const part = maxBufferedBytes === undefined ? usualPart(workers) : maxBufferedBytes / workers;
    this.bytes = Math.max(part, LEAST_BODIES * bodyLimitBytes);
    metrics.gauge(
      'buffered_bytes',
      'Memory set aside for requests in flight.',
      () => this.shares.total,
    );
    metrics.gauge(
      'buffered_bytes_limit',
      'The most that causeway_buffered_bytes may come to.',
      () => this.bytes,
    );
  }

  /** The most that may be set aside for what a request will be answered. */
  get mostForeseen(): number {
    return this.bytes * PART_FORESEEN;
  }

  /**
   * Takes memory for a request, unless there is none left: then it is counted as shed. While more than
   * half of all of it is taken, no account gets more than an equal part; one that has nothing always may.
   *
   * @param held what the request has already.
   * @returns whether it was taken.
   */
  take(account: string, more: number, held: number): boolean {
    const { bytes, shares } = this;
    const forOthers = shares.exceedsRest(account, more, bytes, held) ? PART_FOR_OTHERS : 0;
    const forSmall = held + more <= SMALL_BYTES ? 0 : PART_FOR_SMALL;
    const most = bytes * (1 - forSmall - forOthers);
    const total = shares.total + more;
    if (total > most || (total > bytes / 2 && shares.isBeyond(account, more, most))) {
      shares.refuse(account);
      this.metrics.shed('memory');
      return false;
    }
    shares.add(account, more);
    return true;
  }

  /** Counts memory that is taken in any case. */
  add(account: string, bytes: number): void {
    this.shares.add(account, bytes);
  }

  giveBack(account: string, bytes: number): void {
    this.shares.add(account, -bytes);
  }
}

/** What a process has where `MAX_BUFFERED_BYTES` is not set. */
function usualPart(workers: number): number {
  const part = Math.max(machineMemory() * PART_OF_MEMORY, LEAST_BYTES) / workers;
  return Math.min(part, Math.max(heapMemory() * PART_OF_HEAP, LEAST_BYTES));
}
