import { type Region } from '../contract/model.js';
import { type CatalogueRow } from './model-override.js';

type Rows = ReadonlyMap<string, CatalogueRow>;

/**
 * The rows in which an undated name and the dated one that it stands for, which are one model, have
 * the same regions where only one of them was given some: else a name would be a way round the gate.
 */
export function inOneRegion(rows: Rows): Rows {
  const given = new Map<string, readonly Region[]>();
  for (const { model } of rows.values()) {
    if (model.aliasOf && model.regions && !given.has(model.aliasOf)) {
      given.set(model.aliasOf, model.regions);
    }
  }
  const dated = laidOver(rows, (id) => given.get(id));
  return laidOver(dated, (_, aliasOf) => dated.get(aliasOf ?? '')?.model.regions);
}

function laidOver(
  rows: Rows,
  found: (id: string, aliasOf: string | undefined) => readonly Region[] | undefined,
): Rows {
  const laid = new Map(rows);
  for (const [id, { model, enabled }] of rows) {
    const regions = model.regions ?? found(id, model.aliasOf);
    if (regions && regions !== model.regions)
      laid.set(id, { model: { ...model, regions }, enabled });
  }
  return laid;
}
