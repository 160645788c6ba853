import { type Model, type Pricing, type Region } from '../contract/model.js';
import { readRegions } from './models-file.js';
import { missingPrices, readPricing } from './pricing-fields.js';
import { YamlValue } from './yaml-value.js';

/** A model, and whether it may be called. */
export interface CatalogueRow {
  readonly model: Model;
  readonly enabled: boolean;
}

/** What an administrator changed of a model; what is absent stays as it was. */
export interface ModelOverride {
  readonly enabled?: boolean;
  /** A price list is one thing: it takes the place of the whole one. */
  readonly pricing?: Pricing;
  readonly regions?: readonly Region[];
}

/** What administrators changed, from the database. */
export interface Administered {
  /** By model id. */
  readonly overrides: ReadonlyMap<string, ModelOverride>;
  /** The providers' keys by their names; each stands in front of the environment's. */
  readonly keys: ReadonlyMap<string, string>;
}

/** What the management has changed where it has changed nothing. */
export const UNTOUCHED: Administered = { overrides: new Map(), keys: new Map() };

/** Reads a model's settings in the wire's own names; what is wrong is added to `problems`. */
export function readOverride(settings: unknown, problems: string[]): ModelOverride {
  const value = YamlValue.of(settings, problems).only(['enabled', 'pricing', 'regions']);
  const enabled = value.at('enabled').flag();
  const pricing = readPricing(value.at('pricing'));
  const regions = readRegions(value.at('regions'));
  return {
    ...(enabled !== undefined && { enabled }),
    ...(pricing && { pricing }),
    ...(regions && { regions }),
  };
}

/** The rows with the overrides laid over them; one for a model that is no more does nothing. */
export function overridden(
  rows: ReadonlyMap<string, CatalogueRow>,
  overrides: Administered['overrides'],
): ReadonlyMap<string, CatalogueRow> {
  const laid = new Map(rows);
  for (const [id, { enabled, pricing, regions }] of overrides) {
    const row = rows.get(id);
    if (!row) continue;
    const model = {
      ...row.model,
      // A model that has learned something since must not give that away.
      ...(pricing && missingPrices(row.model.endpoints, pricing).length === 0 && { pricing }),
      ...(regions && { regions }),
      // Like a row of the models file, it lists a retired model again.
      listed: row.model.listed || enabled === true,
    };
    laid.set(id, { model, enabled: enabled ?? row.enabled });
  }
  return laid;
}
