import { readFileSync } from 'node:fs';

/**
 * `USER_HZ`, which every Linux that Node runs on has at 100.
 * https://man7.org/linux/man-pages/man7/time.7.html
 */
const MS_PER_TICK = 10;

/**
 * User and system time that a process and its descendants have spent, in ms. Linux only.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function cpuMs(pid) {
  return [pid, ...descendants(pid)].reduce((sum, each) => {
    // The name in brackets may hold anything; what is counted stands behind it.
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }, 0);
}

/** The most memory that a process has held so far, in MB. */
export function peakMemoryMb(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(kilobytes / 1_024);
}

function descendants(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  if (children === '') return [];
  return children.split(' ').flatMap((child) => [child, ...descendants(child)]);
}
