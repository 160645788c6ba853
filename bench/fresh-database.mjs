import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of the run's own on a server; `drop` removes it. */
export async function freshDatabase(serverUrl) {
  const name = `causeway_bench_${randomBytes(6).toString('hex')}`;
  const run = async (statement) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}
