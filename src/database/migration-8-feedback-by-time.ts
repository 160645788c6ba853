import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';

/** Feedback in the order in which it was given, by which what is too old is found. */
export async function feedbackByTime(database: Kysely<Tables>): Promise<void> {
  await database.schema
    .createIndex('feedback_by_time')
    .on('feedback')
    .column('created_at')
    .execute();
}
