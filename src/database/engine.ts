import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';

export type EngineName = 'sqlite' | 'postgres';

/** An open database; `kysely.destroy()` closes it. */
export interface Engine {
  readonly name: EngineName;
  readonly kysely: Kysely<Tables>;
}
