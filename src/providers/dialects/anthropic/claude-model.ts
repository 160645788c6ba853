/** What the name of a Claude model says. */
export interface Claude {
  readonly family: string;
  /** 4.5 is 405. */
  readonly version: number;
}

/**
 * Family and version by the name, such as `claude-opus-4-5-20251101` or `claude-3-7-sonnet@20250219`, also
 * with a cloud's words around it; undefined for a model of another maker.
 */
export function claudeOf(name: string): Claude | undefined {
  const match =
    /claude-(?<family>[a-z]+)-(?<major>\d{1,2})(?:[-.](?<minor>\d{1,2}))?(?!\d)/.exec(name) ??
    /claude-(?<major>\d{1,2})(?:[-.](?<minor>\d{1,2}))?-(?<family>[a-z]+)/.exec(name);
  if (!match?.groups) return undefined;
  const { family = '', major, minor } = match.groups;
  return { family, version: Number(major) * 100 + Number(minor ?? 0) };
}
