import { type Format } from '../contract/endpoint.js';
import { type Provider } from './provider.js';

/** Injection token of the `KnownProviders`. */
export const KNOWN_PROVIDERS = Symbol('KNOWN_PROVIDERS');

/** The providers that are built in, and how one of the operator's own is made. */
export interface KnownProviders {
  readonly providers: readonly Provider[];
  /** Undefined for a format that only built-in providers speak. */
  readonly ownProvider: (name: string, format: Format, baseUrl: string) => Provider | undefined;
}
