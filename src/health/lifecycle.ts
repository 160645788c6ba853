import { Injectable } from '@nestjs/common';

/** Whether the process is going down. */
@Injectable()
export class Lifecycle {
  private draining = false;

  /** From now on the gateway is not ready, and answers close their connections. */
  drain(): void {
    this.draining = true;
  }

  isDraining(): boolean {
    return this.draining;
  }
}
