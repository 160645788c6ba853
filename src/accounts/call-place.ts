/** The place of a call among those that may run at once: its own until it is over, and nothing outlives it. */
export class CallPlace {
  private users = 1;

  /** @param free is called when nobody needs the place any more. */
  constructor(private readonly free: () => void) {}

  /** Keeps it until what is returned is called once, although the call is over. */
  outlive(): () => void {
    this.users += 1;
    return () => {
      this.end();
    };
  }

  end(): void {
    this.users -= 1;
    if (this.users === 0) this.free();
  }
}
