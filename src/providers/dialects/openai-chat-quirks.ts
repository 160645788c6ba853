/** Where a provider of OpenAI's format departs from it; what is absent is as OpenAI has it. */
export interface ChatQuirks {
  /**
   * Fields of a request that the provider calls otherwise, or refuses (undefined). Without
   * `stream_options` the usage has to come unasked.
   */
  readonly fields?: Readonly<Record<string, string | undefined>>;
  /**
   * Thinking of earlier turns goes back in the field in which the provider gave it out: `returned`,
   * or `required` where a tool call without any is refused.
   */
  readonly thinkingHistory?: 'returned' | 'required';
  /** `thinking: {type}` switches the thinking on and off. */
  readonly thinkingSwitch?: boolean;
  /** Ids of tool calls have to be nine letters and digits. */
  readonly shortCallIds?: boolean;
}

/** Fields of a provider that knows only the older name of the limit. */
export const MAX_TOKENS_ONLY = { max_completion_tokens: 'max_tokens' } as const;

/** The fields of a request by the names that the provider knows. */
export function renamed(
  body: Record<string, unknown>,
  { fields = {} }: ChatQuirks,
): Record<string, unknown> {
  const kept = Object.entries(body).flatMap(([name, value]) => {
    const known = Object.hasOwn(fields, name) ? fields[name] : name;
    return known === undefined ? [] : [[known, value] as const];
  });
  return Object.fromEntries(kept);
}
