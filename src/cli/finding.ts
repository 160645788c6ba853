import { oneLine, plainReason } from './plain-reason.js';

/** What a check of `doctor` came to. */
export interface Verdict {
  /** `skipped`: there is nothing to check, or it cannot be checked yet. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** In our own words. */
  readonly detail: string;
  /** In the words of somebody outside, who may have repeated a secret. */
  readonly said?: string | undefined;
}

/** A verdict on something, and how long it took to reach it. */
export interface Finding {
  readonly check: string;
  readonly status: Verdict['status'];
  /** Milliseconds. */
  readonly ms: number;
  readonly detail: string;
}

/** Runs a check; one that throws has failed, and its error says why. */
export async function finding(
  check: string,
  work: () => Promise<Verdict> | Verdict,
  conceal: (text: string) => string,
): Promise<Finding> {
  const startedAt = performance.now();
  const reached = ({ status, detail, said }: Verdict): Finding => {
    const ms = Math.round(performance.now() - startedAt);
    const foreign = said === undefined ? '' : `: ${oneLine(conceal(said))}`;
    return { check, status, ms, detail: detail + foreign };
  };
  try {
    return reached(await work());
  } catch (error) {
    return reached(failed('it cannot be checked', plainReason(error)));
  }
}

/** All is well. */
export function ok(detail: string): Verdict {
  return { status: 'ok', detail };
}

/** It works, but should not stay so. */
export function warning(detail: string): Verdict {
  return { status: 'warning', detail };
}

/** It does not work. */
export function failed(detail: string, said?: string): Verdict {
  return { status: 'failed', detail, said };
}

/** It was not looked at. */
export function skipped(detail: string): Verdict {
  return { status: 'skipped', detail };
}
