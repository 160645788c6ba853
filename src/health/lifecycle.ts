import { Injectable } from '@nestjs/common';

/** Whether the process is going down. */
@Injectable()
export class Lifecycle {
  private draining = false;
  private parting = false;

  /** From now on the gateway is not ready. */
  drain(): void {
    this.draining = true;
  }

  isDraining(): boolean {
    return this.draining;
  }

  /** From now on answers close their connections: callers take their next request elsewhere. */
  part(): void {
    this.parting = true;
  }

  isParting(): boolean {
    return this.parting;
  }
}
