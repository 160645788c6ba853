/**
 * Where in the caller's own request a part of its neutral shape comes from, such as `input[3].output[0]`, so
 * that a refusal of that part can name it. Not told of texts, which every format has words for. No member of
 * the part, which would go to the provider with it.
 */
const origins = new WeakMap<object, string>();

/** The part itself, which comes from that place. A copy of it does not. */
export function withOrigin<T extends object>(at: string, part: T): T {
  origins.set(part, at);
  return part;
}

/** Undefined where nobody has said it. */
export function originOf(part: object): string | undefined {
  return origins.get(part);
}
