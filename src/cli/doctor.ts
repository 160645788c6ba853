import { type Cell, type Command } from './command.js';

/** Checks everything that the gateway needs; changes nothing. */
export const DOCTOR: Command = {
  name: 'doctor',
  summary: 'Check settings, data directory, database, Redis, S3 and every provider (small calls)',
  parameters: [],
  options: {},
  run: async (_given, { env }) => {
    // Only this command needs the providers.
    const { examine } = await import('./examine.js');
    const checks = await examine(env);
    const isWell = checks.every(({ status }) => status !== 'failed');
    const rows = checks.map(({ check, status, ms, detail }): Cell[] => [check, status, ms, detail]);
    return {
      json: { ok: isWell, checks },
      blocks: [{ columns: ['CHECK', 'STATUS', 'MS', 'DETAIL'], rows }],
      failed: !isWell,
    };
  },
};
