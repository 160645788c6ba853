import { ACCOUNTS } from './accounts.js';
import { type Command } from './command.js';
import { CREDITS } from './credits.js';
import { DOCTOR } from './doctor.js';
import { KEYS } from './keys.js';
import { MIGRATE } from './migrate.js';
import { SERVE } from './serve.js';
import { USAGE } from './usage.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  SERVE,
  MIGRATE,
  ...ACCOUNTS,
  ...KEYS,
  ...CREDITS,
  ...USAGE,
  DOCTOR,
];
