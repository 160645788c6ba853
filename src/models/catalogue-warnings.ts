import { type CatalogueRow } from './model-override.js';
import { MODELS_FILE, type ModelsFile } from './models-file.js';
import { lostPrices } from './pricing-fields.js';

/** What a models file does otherwise than it looks, told before it is laid over the rows. */
export function warningsOf(
  file: ModelsFile,
  listed: ReadonlyMap<string, CatalogueRow>,
): readonly string[] {
  return [...lostWarnings(file, listed), ...unknownWarnings(file, listed)];
}

/** Of rows that were left out, by their providers. */
export function skippedWarnings(skipped: ReadonlyMap<string, number>): readonly string[] {
  if (skipped.size === 0) return [];
  const counts = [...skipped].map(([provider, count]) => `${provider} (${count})`).join(', ');
  return [
    `${MODELS_FILE}: left out models that this version cannot ask their providers for: ${counts}`,
  ];
}

/** Of prices in the file that take the place of a list price which says more: what is cached, above all. */
function lostWarnings(file: ModelsFile, listed: ReadonlyMap<string, CatalogueRow>): string[] {
  const lost = file.models.flatMap(({ id, given }) => {
    const list = listed.get(id)?.model.pricing;
    const names = list && given.pricing ? lostPrices(list, given.pricing) : [];
    return names.length > 0 ? `${id} (${names.join(', ')})` : [];
  });
  if (lost.length === 0) return [];
  return [
    `${MODELS_FILE}: prices of their own leave out some of the list price: ${lost.join(', ')}`,
  ];
}

/** Of names that are switched off and stand for nothing: the model that was meant may still be on. */
function unknownWarnings(file: ModelsFile, listed: ReadonlyMap<string, CatalogueRow>): string[] {
  const unknown = file.models.filter(
    ({ id, enabled, given: { endpoints, pricing } }) =>
      !enabled && !listed.has(id) && !(endpoints && pricing),
  );
  if (unknown.length === 0) return [];
  const ids = unknown.map(({ id }) => id).join(', ');
  return [`${MODELS_FILE}: switches off what the catalogue does not have: ${ids}`];
}
