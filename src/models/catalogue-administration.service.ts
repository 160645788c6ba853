import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { variablePrefix } from '../config/read-config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { Database } from '../database/database.service.js';
import { type ProviderCredentialsTable } from '../database/tables.js';
import { CatalogueService } from './catalogue.service.js';
import { seal, unseal } from './credential-cipher.js';
import { type Administered, readOverride } from './model-override.js';
import { storedKeyProblem } from './provider-connection.js';
import { readStored, type Stored } from './stored-changes.js';

/** How often another process's changes are looked for, in ms. */
const LOOK_EVERY_MS = 2_000;

/** Keeps what administrators change of models and providers, and gives it to the catalogue. */
@Injectable()
export class CatalogueAdministration implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(CatalogueAdministration.name);
  private looks = 0;
  private applied = 0;
  private stored: Stored = { overrides: [], credentials: [] };
  /** Where nothing was ever changed, the catalogue is what it was made as. */
  private seen = JSON.stringify(this.stored);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly catalogue: CatalogueService,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    void database.beforeUse(readStored).then((stored) => {
      this.apply(stored);
    });
  }

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.look().catch((error: unknown) => {
        this.logger.debug(`Changes cannot be looked for: ${String(error)}`);
      });
    }, LOOK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** When a provider's key was put into the database, in Unix milliseconds. */
  keyStoredAt(provider: string): number | undefined {
    return this.stored.credentials.find(({ name }) => name === provider)?.updated_at;
  }

  /** Sets what is different of a model; it is so here at once, and elsewhere within seconds. */
  async override(id: string, settings: object): Promise<void> {
    const row = { settings: JSON.stringify(settings), updated_at: Date.now() };
    await this.database.write((transaction) =>
      transaction
        .insertInto('model_overrides')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute(),
    );
    await this.look();
  }

  /**
   * Sets a provider's key; it is used here at once, and elsewhere within seconds.
   *
   * @throws GatewayError 400 without `ENCRYPTION_KEY`, for a provider whose address nobody knows, for one
   * whose deployments all name keys of their own, and for a key that another deployment has.
   */
  async setKey(provider: string, key: string): Promise<void> {
    const { encryptionKey } = this.config;
    if (!encryptionKey) {
      const message = 'Provider keys are kept encrypted, for which ENCRYPTION_KEY must be set.';
      throw new GatewayError(400, 'invalid_request', message);
    }
    const connection = this.catalogue.connectionWith(provider, key);
    if (!connection) {
      const setting = `${variablePrefix(provider)}_BASE_URL`;
      const message = `It is not known where ${provider} is: ${setting} or its cloud's settings come first.`;
      throw new GatewayError(400, 'invalid_request', message);
    }
    const problem = storedKeyProblem(connection, key);
    if (problem !== undefined) throw new GatewayError(400, 'invalid_request', problem);
    const row = { ciphertext: seal(key, provider, encryptionKey), updated_at: Date.now() };
    await this.database.write((transaction) =>
      transaction
        .insertInto('provider_credentials')
        .values({ name: provider, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute(),
    );
    await this.look();
  }

  /** From now on the environment's key is used again. */
  async removeKey(provider: string): Promise<void> {
    await this.database.write((transaction) =>
      transaction.deleteFrom('provider_credentials').where('name', '=', provider).execute(),
    );
    await this.look();
  }

  private async look(): Promise<void> {
    const look = (this.looks += 1);
    const stored = await this.database.read(readStored);
    // One that began later may have been faster, and has seen more.
    if (look < this.applied) return;
    this.applied = look;
    this.apply(stored);
  }

  private apply(stored: Stored): void {
    // All of it is compared: clocks of several processes would not say what is newer.
    const text = JSON.stringify(stored);
    if (text === this.seen) return;
    this.seen = text;
    this.stored = stored;
    this.catalogue.administer(this.administered(stored));
  }

  private administered({ overrides, credentials }: Stored): Administered {
    return {
      overrides: new Map(
        overrides.map(({ id, settings }) => [id, readOverride(JSON.parse(settings), [])]),
      ),
      keys: new Map(credentials.flatMap((row) => this.opened(row))),
    };
  }

  private opened({ name, ciphertext }: ProviderCredentialsTable): [string, string][] {
    const { encryptionKey } = this.config;
    try {
      if (!encryptionKey) throw new Error('ENCRYPTION_KEY is not set');
      return [[name, unseal(ciphertext, name, encryptionKey)]];
    } catch (error) {
      this.logger.error(`The stored key of ${name} cannot be used: ${String(error)}`);
      return [];
    }
  }
}
