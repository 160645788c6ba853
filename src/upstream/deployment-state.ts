/** How a deployment stands. */
export interface DeploymentState {
  readonly address: string;
  /** Calls that run. */
  readonly running: number;
  /** Milliseconds for which it gets no calls, or none of some model, while another one can serve. */
  readonly restMs: number;
}
