import { availableParallelism } from 'node:os';
import { type Environment } from './environment.js';

const MOST_WORKERS = 64;

/**
 * How many processes `WORKERS` asks for: 1 when it is unset, as many as there are cores for `auto`
 * (those that this process may use). Notes a value that is neither.
 */
export function readWorkers({ WORKERS: value = '' }: Environment, problems: string[]): number {
  const text = value.trim().toLowerCase();
  if (text === '') return 1;
  if (text === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_WORKERS) return count;
  problems.push(`WORKERS must be auto or a whole number from 1 to ${MOST_WORKERS}, not "${text}"`);
  return 1;
}
