import { Inject, Injectable } from '@nestjs/common';
import { type Transaction } from 'kysely';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { CONFIG, type Config } from '../config/config.js';
import { type Caller } from '../contract/caller.js';
import { Database } from '../database/database.service.js';
import { type Tables } from '../database/tables.js';
import { TimedCache } from '../schedule/timed-cache.js';
import { keyDigest, keyPrefix, newKeyText } from './key-text.js';
import { findKey, keyRow, type NewKey, type StoredKey } from './stored-key.js';

/** Who is behind a key's text. */
export interface Identification {
  /** Undefined when the key is unknown, expired, or switched off. */
  readonly caller: Caller | undefined;
  /** The key is known, and may not be used any more. */
  readonly ended: boolean;
  /** An unknown key, and not one that was refused a moment ago already. */
  readonly guess: boolean;
}

/** A new key: its id, and its text, which is nowhere kept. */
export interface IssuedKey {
  readonly id: string;
  readonly text: string;
}

/** No key has a blank in it, so that no signature is a key's digest. */
const SIGNED = 'signed: ';

/** Makes API keys, and tells who is behind one. Their texts are nowhere kept. */
@Injectable()
export class ApiKeys {
  private readonly known = new TimedCache<StoredKey>(CACHED);
  private readonly unknown = new TimedCache<true>(CACHED);
  private readonly lookups = new Map<string, Promise<StoredKey | undefined>>();
  /** Rises when keys have changed, so that what was read before is not remembered after. */
  private changes = 0;
  private pepper = '';

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    void database.beforeUse(async (transaction) => {
      this.pepper = config.keyPepper ?? (await storedPepper(transaction));
    });
  }

  /**
   * Looks a key up. A change of the key or its account is seen within 4 seconds, its expiry at once.
   *
   * @throws GatewayError 503 while the database is away, whether the key is remembered or not.
   */
  async identify(text: string): Promise<Identification> {
    await this.database.confirmAvailable();
    const hash = keyDigest(text, this.pepper).toString('hex');
    const remembered = this.known.get(hash);
    if (!remembered && this.unknown.get(hash)) return { ...UNKNOWN, guess: false };
    const found = remembered ?? (await this.lookUp(hash));
    if (!found) return { ...UNKNOWN, guess: true };
    const caller = usableCaller(found);
    return { caller, ended: !caller, guess: false };
  }

  /** Proves that this gateway wrote a text, to every process that shares its database. */
  signature(text: string): string {
    return keyDigest(SIGNED + text, this.pepper).toString('base64url');
  }

  /** Adds a key and gives its text, which cannot be had again. */
  async create(transaction: Transaction<Tables>, key: NewKey): Promise<string> {
    return (await this.issue(transaction, key)).text;
  }

  /** Adds a key and gives its id and its text, which cannot be had again. */
  async issue(transaction: Transaction<Tables>, key: NewKey): Promise<IssuedKey> {
    const text = newKeyText(key);
    return { id: await this.adopt(transaction, text, key), text };
  }

  /**
   * Adds a key whose text is given, unless there is a key with that text already. Gives the id it
   * has if it is new.
   */
  async adopt(transaction: Transaction<Tables>, text: string, key: NewKey): Promise<string> {
    const hash = keyDigest(text, this.pepper).toString('hex');
    const row = keyRow(key, { hash, prefix: keyPrefix(text) });
    await transaction
      .insertInto('api_keys')
      .values(row)
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute();
    return row.id;
  }

  /** Makes a change of keys or accounts, once it is committed, effective in this process at once. */
  forget(): void {
    this.changes += 1;
    this.known.clear();
    this.lookups.clear();
  }

  /** Many requests with one key ask the database once. */
  private lookUp(hash: string): Promise<StoredKey | undefined> {
    const running = this.lookups.get(hash);
    if (running) return running;
    const lookup = this.readKey(hash).finally(() => {
      if (this.lookups.get(hash) === lookup) this.lookups.delete(hash);
    });
    this.lookups.set(hash, lookup);
    return lookup;
  }

  private async readKey(hash: string): Promise<StoredKey | undefined> {
    const { changes } = this;
    const found = await this.database.read((kysely) => findKey(kysely, hash));
    if (!found || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) {
      this.unknown.set(hash, true);
      return undefined;
    }
    if (changes === this.changes) this.known.set(hash, found);
    return found;
  }
}

/** Short enough for a revocation to take effect within five seconds, slow query included. */
const CACHED = { size: 10_000, ms: 4_000 };

const UNKNOWN = { caller: undefined, ended: false } as const;

function usableCaller({ caller, enabled, expiresAt }: StoredKey): Caller | undefined {
  return enabled && (expiresAt === null || Date.now() < expiresAt) ? caller : undefined;
}

/** Made by the first process that starts on a database. */
async function storedPepper(transaction: Transaction<Tables>): Promise<string> {
  const made = { name: 'key_pepper', value: randomBytes(32).toString('base64') };
  await transaction
    .insertInto('meta')
    .values(made)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await transaction
    .selectFrom('meta')
    .select('value')
    .where('name', '=', made.name)
    .executeTakeFirstOrThrow();
  return value;
}
