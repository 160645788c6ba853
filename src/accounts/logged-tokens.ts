/**
 * Hears of the tokens of a call when its settlement notes them among the fields of the request's log
 * line: before the caller sees the end, and also where the caller left long before.
 */
export function whenTokensAreLogged(
  log: Record<string, unknown>,
  heard: (tokens: number) => void,
): void {
  for (const field of ['inputTokens', 'outputTokens']) {
    let noted: unknown;
    Object.defineProperty(log, field, {
      enumerable: true,
      get: () => noted,
      set: (tokens: unknown) => {
        heard(Number(tokens) - Number(noted ?? 0));
        noted = tokens;
      },
    });
  }
}
