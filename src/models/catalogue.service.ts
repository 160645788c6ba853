import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ConfigError } from '../config/read-config.js';
import { KNOWN_PROVIDERS, type KnownProviders } from '../providers/known-providers.js';
import { type ProviderConnection } from '../providers/provider.js';
import { buildCatalogue, type Catalogue } from './catalogue.js';
import { type Administered, UNTOUCHED } from './model-override.js';
import { MODELS_FILE } from './models-file.js';
import { readModelsText, refuseEmpty, versionOf } from './models-text.js';
import { hasKey } from './provider-connection.js';
import { WorkersText } from './workers-text.js';

/** How often the models file is looked at, in ms: unlike a watch, this misses nothing anywhere. */
const LOOK_EVERY_MS = 1_000;
const DAY_MS = 86_400_000;
const today = (): number => Math.floor(Date.now() / DAY_MS);

/**
 * Holds the current catalogue and makes a new one when the operator's models file changes, and each day,
 * since list prices change by the day.
 *
 * @throws ConfigError when it is made, with every problem of the settings and the file.
 */
@Injectable()
export class CatalogueService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(CatalogueService.name);
  private current: Catalogue;
  private text: string | undefined;
  private version: string | undefined;
  /** Whether the file was found to be broken when it was read last. */
  private isWrong = false;
  private administered = UNTOUCHED;
  private warnings: readonly string[] = [];
  /** The day (UTC) whose list prices the catalogue has. */
  private day = today();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(KNOWN_PROVIDERS) private readonly known: KnownProviders,
    private readonly workers: WorkersText,
  ) {
    [this.text, this.current] = this.first();
  }

  /** The catalogue of this moment; hold on to it for as long as one request lasts. */
  get snapshot(): Catalogue {
    return this.current;
  }

  /** How a provider would be called with such a stored key; undefined where nobody knows its address. */
  connectionWith(provider: string, key: string): ProviderConnection | undefined {
    const keys = new Map(this.administered.keys).set(provider, key);
    const administered = { ...this.administered, keys };
    const { known, config, text } = this;
    const { catalogue } = buildCatalogue(known, config, text, new Date(), administered);
    return catalogue.connection(provider);
  }

  /** Where the key comes from with which a provider is called; null where there is none. */
  keySource(provider: string): 'database' | 'environment' | null {
    const stored = this.administered.keys.get(provider);
    const connection = this.current.connection(provider);
    if (connection && stored !== undefined && hasKey(connection, stored)) return 'database';
    return connection?.apiKey === undefined ? null : 'environment';
  }

  /** Makes the catalogue anew with what administrators have changed. */
  administer(administered: Administered): void {
    this.administered = administered;
    this.current = this.build(this.text);
  }

  onModuleInit(): void {
    const { modelsFile } = this.config;
    this.timer = setInterval(() => {
      if (today() !== this.day) this.current = this.build(this.text);
      if (modelsFile !== undefined) void this.look(modelsFile);
    }, LOOK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async look(path: string): Promise<void> {
    const version = await versionOf(path);
    if (version === this.version) return;
    // Noted before it is read, so that a change in between is seen the next time.
    this.version = version;
    this.reload(path);
  }

  private reload(path: string): void {
    try {
      const text = readModelsText(path);
      if (text === this.text && !this.isWrong) return;
      if (text !== this.text) refuseEmpty(text);
      this.current = this.build(text);
      this.text = text;
      this.isWrong = false;
      this.workers.note(text);
      this.logger.log(`${MODELS_FILE} was read again: ${this.current.models.length} models`);
    } catch (error) {
      this.stay(error);
    }
  }

  /** A worker that takes the place of a dead one serves by what the others do while the file is wrong. */
  private first(): [string | undefined, Catalogue] {
    const { modelsFile } = this.config;
    if (modelsFile === undefined) return [undefined, this.build(undefined)];
    const { last } = this.workers;
    try {
      const text = readModelsText(modelsFile);
      if (last !== undefined) refuseEmpty(text);
      const catalogue = this.build(text);
      this.workers.note(text);
      return [text, catalogue];
    } catch (error) {
      if (last === undefined) throw error;
      this.stay(error);
      return [last, this.build(last)];
    }
  }

  private stay(error: unknown): void {
    this.isWrong = true;
    const problems = error instanceof ConfigError ? error.problems.join('; ') : String(error);
    this.logger.error(`${MODELS_FILE} has changed but the models stay as they were: ${problems}`);
  }

  private build(text: string | undefined): Catalogue {
    const { known, config, administered } = this;
    this.day = today();
    const { catalogue, warnings } = buildCatalogue(known, config, text, new Date(), administered);
    for (const warning of warnings) {
      // Each change of an administrator's, and the first look for them, builds from the same text.
      if (!this.warnings.includes(warning)) this.logger.warn(warning);
    }
    this.warnings = warnings;
    return catalogue;
  }
}
