const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * What the signals that stop the gateway do, from the moment on that this is made. Without it they
 * end a process with an error, and the first process of a container never hears of them.
 */
export class StopSignals {
  constructor(private listener: () => void) {
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        this.listener();
      });
    }
  }

  /** From now on they do this instead. */
  handOver(listener: () => void): void {
    this.listener = listener;
  }
}
