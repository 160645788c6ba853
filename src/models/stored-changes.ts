import { type Kysely } from 'kysely';
import { type ProviderCredentialsTable, type Tables } from '../database/tables.js';

/** What administrators changed, as the database keeps it. */
export interface Stored {
  readonly overrides: readonly { readonly id: string; readonly settings: string }[];
  readonly credentials: readonly ProviderCredentialsTable[];
}

/** Reads all of it, always in the same order. */
export async function readStored(kysely: Kysely<Tables>): Promise<Stored> {
  return {
    overrides: await kysely
      .selectFrom('model_overrides')
      .select(['id', 'settings'])
      .orderBy('id')
      .execute(),
    credentials: await kysely
      .selectFrom('provider_credentials')
      .selectAll()
      .orderBy('name')
      .execute(),
  };
}
