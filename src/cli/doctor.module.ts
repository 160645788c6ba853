import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { type Config } from '../config/config.js';
import { CatalogueModule } from '../models/catalogue.module.js';
import { ModelsModule } from '../models/models.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';

/**
 * The catalogue and the way to the providers. With a database that is up to date, also with the keys
 * and changes in it; without one it is left alone, and neither made nor migrated.
 */
@Module({})
export class DoctorModule {
  static with(config: Config, source: 'database' | 'settings'): DynamicModule {
    const models = source === 'database' ? ModelsModule : CatalogueModule;
    return { module: DoctorModule, imports: [ConfigModule.with(config), UpstreamModule, models] };
  }
}
