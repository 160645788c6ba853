import { Module } from '@nestjs/common';
import { KNOWN_PROVIDERS, type KnownProviders } from './known-providers.js';
import { ownProvider } from './own-provider.js';
import { PROVIDERS } from './providers.js';

const known: KnownProviders = { providers: PROVIDERS, ownProvider };

/** Gives the application its providers; tests give it others. */
@Module({
  providers: [{ provide: KNOWN_PROVIDERS, useValue: known }],
  exports: [KNOWN_PROVIDERS],
})
export class ProvidersModule {}
