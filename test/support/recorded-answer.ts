export interface FactCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

/** What an answer says, whatever its format. */
export interface Facts {
  readonly text: string;
  /** What declines to answer, where the format has a place of its own for it. */
  readonly refusal: string;
  readonly thinking: string;
  readonly calls: readonly FactCall[];
  /** As the Messages API names it. */
  readonly stop: string | null;
  readonly usage: FactUsage | undefined;
  /** What is paid for, where it is more than the answer itself took. */
  readonly billed?: FactUsage | undefined;
  /** The answer, or the stream of it, holds an error. */
  readonly failed: boolean;
  /** The stream says that it is at its end. */
  readonly ended: boolean;
}

/** Counts that share nothing. */
export interface FactUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** The JSON value of a call's arguments; undefined for what is none. */
export function argumentsOf(given: unknown): unknown {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'string') return given;
  if (given.trim() === '') return {};
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
