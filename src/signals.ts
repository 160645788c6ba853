/** What stops the gateway. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
