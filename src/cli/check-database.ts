import { type Kysely, sql } from 'kysely';
import { type Config } from '../config/config.js';
import { type EngineName } from '../database/engine.js';
import { LAST_MIGRATION } from '../database/migrations.js';
import { type Tables } from '../database/tables.js';
import { failed, ok, skipped, type CheckResult, warning } from './finding.js';
import { plainReason } from './plain-reason.js';
import { isNewFile, migrationsIn, openAsItIs } from './schema.js';

/** Whether the database answers and takes writes, and which migrations it has; none is applied. */
export async function checkDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<CheckResult> {
  if (isNewFile(config)) return skipped('sqlite: no database yet; the first start makes it');
  const { databaseUrl } = config;
  const where = databaseUrl === undefined ? 'DATA_DIR/causeway.db' : placeOf(databaseUrl);
  try {
    const { name, kysely } = await openAsItIs(config);
    return await judged(name, kysely, where).finally(() => kysely.destroy());
  } catch (error) {
    const name: EngineName = databaseUrl === undefined ? 'sqlite' : 'postgres';
    return failed(`${name} at ${where} cannot be used`, plainReason(error));
  }
}

async function judged(
  name: EngineName,
  kysely: Kysely<Tables>,
  where: string,
): Promise<CheckResult> {
  const version = await versionOf(name, kysely);
  const engine = `${name} ${version} at ${where}`;
  if (name === 'postgres' && (await isReadOnly(kysely))) {
    return failed(`${engine} takes no writes: it is a standby, or read-only`);
  }
  const has = await migrationsIn(kysely);
  const known = Array.from({ length: LAST_MIGRATION }, (_, index) => index + 1);
  const pending = known.filter((number) => !has.includes(number));
  const unknown = has.filter((number) => !known.includes(number));
  if (unknown.length > 0) {
    return warning(`${engine}: a newer version has migrated it (${unknown.join(', ')})`);
  }
  if (pending.length > 0) {
    const when = 'the next start or "causeway migrate" applies them';
    return warning(`${engine}: migrations to come: ${pending.join(', ')}; ${when}`);
  }
  return ok(`${engine}, up to date with ${has.length} migrations`);
}

async function versionOf(name: EngineName, kysely: Kysely<Tables>): Promise<string> {
  const asked = name === 'sqlite' ? sql`sqlite_version()` : sql`current_setting('server_version')`;
  const { rows } = await sql<{ version: string }>`select ${asked} as version`.execute(kysely);
  return rows[0]?.version.split(' ')[0] ?? '';
}

async function isReadOnly(kysely: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{
    read_only: string;
  }>`select current_setting('transaction_read_only') as read_only`.execute(kysely);
  return rows[0]?.read_only === 'on';
}

/** Host and database, without user and password. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}
