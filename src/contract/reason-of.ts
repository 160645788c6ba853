/** What an error says. Of a name with several addresses it is one of errors, without words of its own. */
export function reasonOf(error: unknown): string {
  const all: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return all.map(String).join(', ');
}
