/**
 * SIGHUP is sent when a terminal is closed. Whether nohup had it ignored nobody can tell here: Node has
 * undone that before (https://github.com/nodejs/node/blob/main/src/node.cc).
 */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** What tells a whole group of processes to stop often comes twice: npm hands on what it gets, too. */
const ECHO_MS = 1_000;

/**
 * What the signals that stop the gateway do, from the moment on that this is made. Without it they
 * end a process with an error, and the first process of a container never hears of them. One that
 * comes within a second of the first is taken for the same.
 */
export class StopSignals {
  private firstAt: number | undefined;

  constructor(private listener: () => void) {
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        const now = performance.now();
        const isEcho = this.firstAt !== undefined && now - this.firstAt < ECHO_MS;
        this.firstAt ??= now;
        if (!isEcho) this.listener();
      });
    }
  }

  /** From now on they do this instead. */
  handOver(listener: () => void): void {
    this.listener = listener;
  }
}
