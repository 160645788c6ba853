import { type Config } from '../config/config.js';
import { ConfigError, variablePrefix } from '../config/read-config.js';
import { type Endpoint } from '../contract/endpoint.js';
import { type Capabilities, type Model } from '../contract/model.js';
import { type KnownProviders } from '../providers/known-providers.js';
import { type Provider, type ProviderConnection } from '../providers/provider.js';
import { inOneRegion } from './alias-regions.js';
import { skippedWarnings, warningsOf } from './catalogue-warnings.js';
import { drillOf } from './fault-drills.js';
import { type Administered, type CatalogueRow, overridden, UNTOUCHED } from './model-override.js';
import { type ModelRow, type ModelsFile, readModelsFile } from './models-file.js';
import { missingPrices } from './pricing-fields.js';
import { EVERY_CONVERSATION, type PriceList, priceList } from './prices.js';
import { connect, connectOwn } from './provider-connection.js';
import { RETIRED } from './retired-models.js';

/** Every model that can be called, at one moment. It never changes; a reload makes another one. */
export interface Catalogue {
  /** The listed models, in a stable order. */
  readonly models: readonly Model[];
  /** What the operator has switched off, of providers that are on. */
  readonly disabled: readonly Model[];
  /** Also finds what is not listed: retired models and the sandbox's fault drills. */
  readonly find: (id: string) => Model | undefined;
  /** Undefined for a provider that is off. */
  readonly connection: (provider: string) => ProviderConnection | undefined;
  /** Every provider that has a name here, on or off. */
  readonly providers: readonly Provider[];
  /** A model's row whether it can be called or not: it, or its provider, may be switched off. */
  readonly row: (id: string) => CatalogueRow | undefined;
}

/** A catalogue, and what was noticed while it was made. */
export interface BuiltCatalogue {
  readonly catalogue: Catalogue;
  /** What the operator should know although it stops nothing. */
  readonly warnings: readonly string[];
}

/**
 * Joins the providers' models with prices and lays the operator's file over them.
 *
 * @throws ConfigError with every problem of the settings, the built-in models and the file.
 */
export function buildCatalogue(
  { providers, ownProvider }: KnownProviders,
  config: Config,
  fileText: string | undefined,
  now: Date,
  administered: Administered = UNTOUCHED,
): BuiltCatalogue {
  const problems: string[] = [];
  const fileProblems: string[] = [];
  const connections = new Map<string, ProviderConnection>();
  const rows = builtInRows(providers, priceList(now), problems);
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  const takenNames = new Set(byName.keys());
  const file = readModelsFile(fileText ?? '{}', { config, takenNames }, fileProblems);
  for (const provider of providers) {
    const stored = administered.keys.get(provider.name);
    const connection = connect(
      provider,
      config,
      stored,
      problems,
      file.deployments.get(provider.name),
    );
    if (connection) connections.set(provider.name, connection);
  }
  for (const row of file.providers) {
    const { name, format, baseUrl } = row;
    const provider = ownProvider(name, format, baseUrl.href);
    if (!provider) {
      problems.push(`providers.${name}.format is "${format}", which only built-in providers speak`);
      continue;
    }
    byName.set(name, provider);
    const stored = administered.keys.get(name);
    // A key goes to the provider that it is for: by the file's word, or by its name.
    const others = [...takenNames, ...file.providerNames].filter((other) => other !== name);
    const isTaken = (variable: string): boolean =>
      file.keyVariables.has(variable) || others.some((other) => isKeyOf(other, variable));
    connections.set(name, connectOwn(row, provider, config, stored, isTaken, problems));
  }
  const warnings = warningsOf(file, rows);
  const skipped = overlay(rows, file, byName);
  // After those of the settings, which they may follow from.
  problems.push(...fileProblems);
  if (problems.length > 0) throw new ConfigError(problems);

  const all = inOneRegion(overridden(rows, administered.overrides));
  const catalogue = catalogueOf(all, connections, [...byName.values()]);
  return { catalogue, warnings: [...skippedWarnings(skipped), ...warnings] };
}

/** Whether a variable is one of a provider's numbered keys. */
function isKeyOf(provider: string, variable: string): boolean {
  return variable.replace(/\d+$/, '') === `${variablePrefix(provider)}_API_KEY_`;
}

function catalogueOf(
  rows: ReadonlyMap<string, CatalogueRow>,
  connections: ReadonlyMap<string, ProviderConnection>,
  providers: readonly Provider[],
): Catalogue {
  const reachable = [...rows.values()].filter(({ model }) => connections.has(model.provider));
  const models = reachable.filter(({ enabled }) => enabled).map(({ model }) => model);
  const byId = new Map(models.map((model) => [model.id, model]));
  return Object.freeze({
    models: models.filter(({ listed }) => listed),
    disabled: reachable.filter(({ enabled }) => !enabled).map(({ model }) => model),
    find: (id: string) => byId.get(id) ?? drillOf(id, (listed) => byId.get(listed)),
    connection: (provider: string) => connections.get(provider),
    providers,
    row: (id: string) => rows.get(id),
  });
}

function builtInRows(
  providers: readonly Provider[],
  prices: PriceList,
  problems: string[],
): Map<string, CatalogueRow> {
  const rows = new Map<string, CatalogueRow>();
  for (const provider of providers) {
    for (const spec of provider.models) {
      const id = `${provider.name}/${spec.name}`;
      const endpoints = served(provider, spec.endpoints);
      if (endpoints.length === 0) continue;
      const shared = endpoints.includes('messages') && prices(provider.name, EVERY_CONVERSATION);
      const pricing = { ...shared, ...prices(provider.name, spec.name) };
      const missing = missingPrices(endpoints, pricing);
      if (missing.length > 0) problems.push(`${id} has no price: ${missing.join(', ')}`);
      const listed = !RETIRED.has(id);
      const model = { ...spec, endpoints, id, provider: provider.name, pricing, listed };
      rows.set(id, { model, enabled: true });
    }
  }
  return rows;
}

/** Lays the file's rows over the built-in ones. Returns how many rows of which provider it left out. */
function overlay(
  rows: Map<string, CatalogueRow>,
  file: ModelsFile,
  providers: ReadonlyMap<string, Provider>,
): ReadonlyMap<string, number> {
  const skipped = new Map<string, number>();
  for (const row of file.models) {
    const provider = providers.get(row.provider);
    const isOwn = file.providerNames.has(row.provider);
    if (!provider) {
      // What is wrong with one of the file's own is told where it stands.
      if (isOwn) continue;
      row.problem(
        `names the provider "${row.provider}", which is neither built in nor in this file`,
      );
    } else if (!isOwn && unserved(row, provider)) {
      skipped.set(row.provider, (skipped.get(row.provider) ?? 0) + 1);
    } else layOver(rows, row, provider);
  }
  return skipped;
}

/** A row that asks a built-in provider for what this version cannot ask of it. */
function unserved({ given: { endpoints } }: ModelRow, provider: Provider): boolean {
  return endpoints !== undefined && served(provider, endpoints).length === 0;
}

function layOver(rows: Map<string, CatalogueRow>, row: ModelRow, provider: Provider): void {
  const existing = rows.get(row.id)?.model;
  const { endpoints, pricing, ...given } = { ...existing, ...row.given };
  if (!endpoints || !pricing) {
    // What is switched off need not be whole.
    if (row.enabled && !endpoints) row.problem('needs endpoints');
    if (row.enabled && !pricing) row.problem('needs pricing');
    return;
  }
  const missing = missingPrices(endpoints, pricing);
  if (missing.length > 0) row.problem(`needs pricing of ${missing.join(', ')} (0 if it is free)`);
  const servedHere = served(provider, endpoints);
  if (servedHere.length === 0 && endpoints.length > 0) {
    row.problem(`cannot be served: ${provider.name} has none of ${endpoints.join(', ')}`);
  }
  if (row.given.hedgeAfterMs !== undefined && !isEverHedged(row, endpoints)) {
    row.problem('takes no hedge_after_ms: images and the sandbox are never asked a second time');
  }
  const model = {
    ...given,
    id: row.id,
    provider: row.provider,
    name: row.name,
    endpoints: servedHere,
    pricing,
    created: existing?.created ?? 0,
    capabilities: {
      ...(existing?.capabilities ?? modalities(endpoints)),
      ...row.given.capabilities,
    },
    ...(!existing && { told: row.given.capabilities ?? {} }),
    listed: true,
  };
  rows.set(row.id, { model, enabled: row.enabled });
}

function isEverHedged({ provider }: ModelRow, endpoints: readonly Endpoint[]): boolean {
  return provider !== 'sandbox' && endpoints.some((one) => HEDGED.has(one));
}

const HEDGED = new Set<Endpoint>(['messages', 'embeddings']);

function served(provider: Provider, endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.filter((endpoint) => provider.endpoints[endpoint] !== undefined);
}

const MADE_BY: Readonly<Record<Endpoint, string>> = {
  messages: 'text',
  'count-tokens': 'text',
  embeddings: 'embedding',
  images: 'image',
  'image-edits': 'image',
};

/** What a model of the operator's own takes and gives when the file does not say. */
function modalities(endpoints: readonly Endpoint[]): Capabilities {
  const made = new Set(endpoints.map((endpoint) => MADE_BY[endpoint]));
  return { input_modalities: ['text'], output_modalities: [...made] };
}
