import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** The bytes of memory that the machine has, or the container where that has less. */
export function machineMemory(): number {
  // 0 where nothing limits the process.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * The bytes that V8 lets this process's heap have, at which it ends the process: half of the memory, but
 * some 4 GB at most, where `--max-old-space-size` says nothing else.
 */
export function heapMemory(): number {
  return getHeapStatistics().heap_size_limit;
}

/**
 * How many files and connections the process may have open at once; undefined where that is not told.
 * https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html
 */
export function mostOpenFiles(): number | undefined {
  try {
    const [, most] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
