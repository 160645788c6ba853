import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { unwatchFile, watchFile } from 'node:fs';
import { CONFIG, type Config } from '../config/config.js';
import { ConfigError } from '../config/read-config.js';
import { buildCatalogue, type Catalogue, type CatalogueSources } from './catalogue.js';
import { MODELS_FILE } from './models-file.js';
import { readModelsText } from './models-text.js';

/** Injection token of the `CatalogueSources`. */
export const CATALOGUE_SOURCES = Symbol('CATALOGUE_SOURCES');

/** How often the models file is looked at, in ms; watching a path by time also sees a rename. */
const LOOK_EVERY_MS = 1_000;

/**
 * Holds the current catalogue and makes a new one when the operator's models file changes.
 *
 * @throws ConfigError when it is made, with every problem of the settings and the file.
 */
@Injectable()
export class CatalogueService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(CatalogueService.name);
  private readonly look = () => {
    this.reload();
  };
  private text: string | undefined;
  private current: Catalogue;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CATALOGUE_SOURCES) private readonly sources: CatalogueSources,
  ) {
    const { modelsFile } = config;
    this.text = modelsFile === undefined ? undefined : readModelsText(modelsFile);
    this.current = this.build(this.text);
  }

  /** The catalogue of this moment; hold on to it for as long as one request lasts. */
  get snapshot(): Catalogue {
    return this.current;
  }

  onModuleInit(): void {
    if (this.config.modelsFile === undefined) return;
    watchFile(this.config.modelsFile, { interval: LOOK_EVERY_MS, persistent: false }, this.look);
    // What was changed between the first reading and the watch.
    this.reload();
  }

  onModuleDestroy(): void {
    if (this.config.modelsFile !== undefined) unwatchFile(this.config.modelsFile, this.look);
  }

  private reload(): void {
    const { modelsFile } = this.config;
    if (modelsFile === undefined) return;
    try {
      const text = readModelsText(modelsFile);
      if (text === this.text) return;
      // A file that is being rewritten in place is empty for a moment.
      if (text.trim() === '') throw new ConfigError([`${MODELS_FILE} is empty`]);
      this.current = this.build(text);
      this.text = text;
      this.logger.log(`${MODELS_FILE} was read again: ${this.current.models.length} models`);
    } catch (error) {
      const problems = error instanceof ConfigError ? error.problems.join('; ') : String(error);
      this.logger.error(`${MODELS_FILE} has changed but the models stay as they were: ${problems}`);
    }
  }

  private build(text: string | undefined): Catalogue {
    const { catalogue, warnings } = buildCatalogue(this.sources, this.config, text, new Date());
    for (const warning of warnings) this.logger.warn(warning);
    return catalogue;
  }
}
