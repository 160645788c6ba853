/** What a report may be grouped by, in the wire's own names. */
export const GROUPS = ['day', 'hour', 'account', 'key', 'model', 'provider', 'endpoint'] as const;
/** One of them. */
export type Group = (typeof GROUPS)[number];
