import { oneLine, plainReason } from './plain-reason.js';

/** What a check of `doctor` came to. */
export interface CheckResult {
  /** `skipped`: there is nothing to check, or it cannot be checked yet. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** In our own words. */
  readonly detail: string;
  /** In the words of somebody outside, who may have repeated a secret. */
  readonly said?: string | undefined;
}

/** What a check came to, and how long it took. */
export interface Finding {
  readonly check: string;
  readonly status: CheckResult['status'];
  /** Milliseconds. */
  readonly ms: number;
  readonly detail: string;
}

/** Runs a check; one that throws has failed, and its error says why. */
export async function finding(
  check: string,
  work: () => Promise<CheckResult> | CheckResult,
  conceal: (text: string) => string,
): Promise<Finding> {
  const startedAt = performance.now();
  const reached = ({ status, detail, said }: CheckResult): Finding => {
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
export function ok(detail: string): CheckResult {
  return { status: 'ok', detail };
}

/** It works, but should not stay so. */
export function warning(detail: string): CheckResult {
  return { status: 'warning', detail };
}

/** It does not work. */
export function failed(detail: string, said?: string): CheckResult {
  return { status: 'failed', detail, said };
}

/** It was not looked at. */
export function skipped(detail: string): CheckResult {
  return { status: 'skipped', detail };
}
