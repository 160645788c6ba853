import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Deployment, identityOf } from '../providers/deployment.js';
import { SharedMemory } from '../shared/shared-memory.service.js';
import { LOOK, NOTE, saidIn } from './health-scripts.js';

/** The most that a rest lasts, whatever a provider, or another process, says. */
export const LONGEST_REST_MS = 60_000;
const LOOK_MS = 1_000;
const RESTS = 'causeway:rests';

/**
 * Which deployments rest, as the processes of a gateway know together: within a second or so each of
 * them knows of a rest that another one has noted. What was said counts to its end while nobody
 * answers, and a minute at most; a process that is alone knows nothing here.
 */
@Injectable()
export class SharedRests implements OnModuleInit, OnApplicationShutdown {
  /** `performance.now()` at which a rest ends, by the name of its deployment. */
  private ends: ReadonlyMap<string, number> = new Map();
  /** The same of rests that could not be told to the others yet. */
  private readonly untold = new Map<string, number>();
  private readonly names = new WeakMap<Deployment, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly memory: SharedMemory) {}

  async onModuleInit(): Promise<void> {
    if (!this.memory.exists) return;
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
    await this.look();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Milliseconds for which a deployment rests; 0 for none. */
  restMs(deployment: Deployment): number {
    if (this.ends.size === 0) return 0;
    const end = this.ends.get(this.nameOf(deployment)) ?? 0;
    return Math.max(0, end - performance.now());
  }

  /** Tells the others that a deployment rests for so long; nobody waits for that. */
  note(deployment: Deployment, ms: number): void {
    void this.tell(this.nameOf(deployment), performance.now() + ms);
  }

  private async tell(name: string, end: number): Promise<void> {
    const ms = Math.ceil(end - performance.now());
    if (ms > 0 && (await this.memory.run(NOTE, [RESTS], [name, ms])) === undefined) {
      this.untold.set(name, Math.max(end, this.untold.get(name) ?? 0));
    }
  }

  private async look(): Promise<void> {
    const said = saidIn(await this.memory.run(LOOK, [RESTS], [0, LONGEST_REST_MS]));
    if (!said) return;
    const now = performance.now();
    this.ends = new Map([...said].map(([name, ms]) => [name, now + ms]));
    const untold = [...this.untold];
    this.untold.clear();
    for (const [name, end] of untold) void this.tell(name, end);
  }

  /** Tells nothing of the key. */
  private nameOf(deployment: Deployment): string {
    const known = this.names.get(deployment);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(identityOf(deployment)).digest('base64url');
    this.names.set(deployment, name);
    return name;
  }
}
