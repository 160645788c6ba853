const LONGEST_WAIT_MS = 600_000;

/** What a model of the sandbox does beside answering. */
export type Behaviour =
  | { readonly type: 'answer' }
  | { readonly type: 'error'; readonly status: number }
  | { readonly type: 'slow'; readonly ms: number }
  | { readonly type: 'stall' }
  | { readonly type: 'cut-stream' };

/**
 * The behaviour that a model's name asks for: `error-<status>`, `slow-<ms>` (at most ten minutes),
 * `stall`, `cut-stream`; every other name just answers.
 */
export function behaviourOf(model: string): Behaviour {
  if (model === 'stall' || model === 'cut-stream') return { type: model };
  const status = /^error-([45]\d\d)$/.exec(model)?.[1];
  if (status !== undefined) return { type: 'error', status: Number(status) };
  const ms = /^slow-(\d+)$/.exec(model)?.[1];
  if (ms !== undefined) return { type: 'slow', ms: Math.min(Number(ms), LONGEST_WAIT_MS) };
  return { type: 'answer' };
}
