import { readConfig } from '../config/read-config.js';
import { type Command } from './command.js';

/** Brings the tables up to date, as every start of the gateway does. */
export const MIGRATE: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date, as every start does',
  parameters: [],
  options: {},
  run: async (_given, { env }) => {
    const config = readConfig(env);
    const database = config.databaseUrl === undefined ? 'sqlite' : 'postgres';
    // Only who runs it needs the engines.
    const { bringUpToDate } = await import('./schema.js');
    const applied = await bringUpToDate(config);
    const text =
      applied.length === 0
        ? 'Nothing to do: the database is up to date.'
        : `Applied ${applied.length === 1 ? 'migration' : 'migrations'} ${applied.join(', ')}.`;
    return { json: { database, applied }, blocks: [text] };
  },
};
