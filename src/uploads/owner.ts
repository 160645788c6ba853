import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names this process, among all that share a directory or a database, for what it is working on.
 * Each call gives another name; it is known as alive until `leave`.
 */
export function newOwner(): string {
  const name = `${MACHINE}.${process.pid}.${randomBytes(6).toString('hex')}`;
  HERE.add(name);
  return name;
}

/** Ends an owner of this process. */
export function leave(owner: string): void {
  HERE.delete(owner);
}

/**
 * Whether the process of that name still runs. Of a process on another machine, or in another
 * container, nobody here can know: undefined.
 */
export function isRunning(owner: string): boolean | undefined {
  const [machine, pid = ''] = owner.split('.');
  if (machine !== MACHINE) return undefined;
  if (Number(pid) === process.pid) return HERE.has(owner);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const HERE = new Set<string>();

/** The same for those processes only whose ids are numbers of one and the same table. */
const MACHINE = createHash('sha256').update(machineTraits()).digest('hex').slice(0, 12);

function machineTraits(): string {
  try {
    // Linux: this boot of the kernel, and the container's own table of processes.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot}${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
