import { type Redis } from 'ioredis';

/** A Lua script that Redis keeps after its first run on a connection. */
export interface Script {
  /** Unlike the name of every Redis command. */
  readonly name: string;
  readonly lua: string;
}

/**
 * Connects to the database that is named and tries whether scripts may write, and are answered within
 * `answerMs`. Gives up after two seconds; the failure never tells the password.
 */
export async function openConnection(
  url: string,
  answerMs: number,
): Promise<{ readonly connection?: Redis; readonly failure?: unknown }> {
  // 7 MB that only those pay who use it.
  const { Redis: Client } = await import('ioredis');
  let connection: Redis | undefined;
  let reported: unknown;
  try {
    connection = new Client(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      disconnectTimeout: answerMs,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    connection.on('error', (error: unknown) => (reported = error));
    await within(CONNECT_MS, connection.connect());
    await within(answerMs, select(connection));
    await within(answerMs, runScript(connection, TRIAL, ['causeway:trial'], []));
    return { connection };
  } catch (error) {
    connection?.disconnect();
    return { failure: error instanceof WrongDatabase ? error : (reported ?? error) };
  }
}

/** Sends a script, as text the first time and by its digest from then on. */
export async function runScript(
  connection: Redis,
  { name, lua }: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  const commands = connection as unknown as Record<string, Command | undefined>;
  if (!commands[name]) connection.defineCommand(name, { lua });
  return commands[name]?.(keys.length, ...keys, ...values);
}

/** Settles as `work` does, or rejects after `ms`. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new Error(`no answer within ${ms} ms`));
    };
    // Where this process itself was busy, the answer lies in the socket, and is read before this.
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** The client does so by itself, and goes on in database 0 where that fails. */
async function select(connection: Redis): Promise<void> {
  const { db = 0 } = connection.options;
  if (db === 0) return;
  await connection.select(db).catch((error: unknown) => {
    throw new WrongDatabase(`its database ${db} cannot be used: ${(error as Error).message}`);
  });
}

class WrongDatabase extends Error {}

type Command = (...values: (string | number)[]) => Promise<unknown>;

const CONNECT_MS = 2_000;
/** Fails where memory is full, where the server is a replica, and where rights are missing. */
const TRIAL: Script = {
  name: 'causewayTrial',
  lua: `return redis.call('SET', KEYS[1], '1', 'PX', 1000)`,
};
