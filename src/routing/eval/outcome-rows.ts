/** What models have made of one question. */
export interface OutcomeRow {
  readonly prompt: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

export interface Outcome {
  /** 0 to 1. */
  readonly score: number;
  /** Undefined where the file does not say. */
  readonly costUsd: number | undefined;
}

/**
 * Reads rows `{prompt, outcomes: {model: {score, cost_usd?}}}`, one JSON object a line; a number alone
 * is a score, true and false are 1 and 0, and other fields do not matter.
 *
 * @throws Error that names the file and the line.
 */
export function readRows(text: string, name: string): OutcomeRow[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [rowOf(JSON.parse(line) as unknown)];
      } catch (error) {
        throw new Error(`${name} line ${index + 1}: ${(error as Error).message}`, { cause: error });
      }
    });
}

function rowOf(value: unknown): OutcomeRow {
  const { prompt, outcomes } = (value ?? {}) as { prompt?: unknown; outcomes?: unknown };
  if (typeof prompt !== 'string') throw new Error('prompt must be a text');
  if (typeof outcomes !== 'object' || outcomes === null)
    throw new Error('outcomes must be an object');
  const read = Object.entries(outcomes).flatMap(([model, outcome]): [string, Outcome][] => {
    const { score: given, cost_usd: cost } = (
      typeof outcome === 'object' ? (outcome ?? {}) : { score: outcome }
    ) as { score?: unknown; cost_usd?: unknown };
    const score = typeof given === 'boolean' ? Number(given) : given;
    if (typeof score !== 'number' || !Number.isFinite(score)) return [];
    const isCost = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0;
    return [[model, { score, costUsd: isCost ? cost : undefined }]];
  });
  return { prompt, outcomes: new Map(read) };
}
