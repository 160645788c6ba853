import { type Listener } from '../cluster/line.js';
import { type Script } from '../redis/connection.js';

/** What a script does where the primary remembers in place of Redis, with the same keys and values. */
export type InMemory = (keys: readonly string[], values: readonly (string | number)[]) => unknown;

/** How the primary answers: what it does for each script. */
export function answersWith(
  scripts: Iterable<readonly [Script, InMemory]>,
): Readonly<Record<string, Listener>> {
  const answers = [...scripts].map(([script, run]) => {
    const answer: Listener = (asked) => {
      const { keys, values } = asked as Record<'keys' | 'values', readonly string[]>;
      return run(keys, values);
    };
    return [questionOf(script), answer] as const;
  });
  return Object.fromEntries(answers);
}

/** The name under which a worker asks the primary to run a script. */
export function questionOf({ name }: Script): string {
  return `run.${name}`;
}
