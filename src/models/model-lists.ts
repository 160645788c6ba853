import { type Caller } from '../contract/caller.js';
import { type Endpoint } from '../contract/endpoint.js';
import { type Model } from '../contract/model.js';
import { type Catalogue } from './catalogue.js';
import { type ModelGroup, type ModelObject } from './dto/model-object.dto.js';
import { visibleTo } from './model-access.js';
import { pricingObject } from './pricing-fields.js';

/** A list as JSON text, for whoever asks. */
type JsonList = (caller: Caller | undefined) => string;

/** The lists of one catalogue, written out once; only a caller with limits needs another writing. */
export interface ModelLists {
  readonly models: JsonList;
  readonly grouped: JsonList;
  readonly images: JsonList;
  readonly embeddings: JsonList;
}

/** The lists of a catalogue, for callers with and without limits of their own. */
export function modelLists({ models }: Catalogue): ModelLists {
  const rows = models.map((model) => {
    const object = modelObject(model);
    return { model, object, json: JSON.stringify(object) };
  });
  const images = rows.filter(({ model }) => serves(model, IMAGE));
  const offered = rows.filter(({ model }) => serves(model, ['messages', ...IMAGE]));
  return {
    models: listFor(offered, plain),
    grouped: listFor(offered, groups),
    images: listFor(images, plain),
    embeddings: listFor(
      rows.filter(({ model }) => serves(model, ['embeddings'])),
      plain,
    ),
  };
}

/** A model as `GET /v3/models` shows it. */
export function modelObject(model: Model): ModelObject {
  const pricing = pricingObject(model.pricing, model.endpoints);
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.provider,
    model_name: model.name,
    context_length: model.contextLength ?? null,
    description: model.description ?? null,
    source: null,
    capabilities: { ...model.capabilities, ...(serves(model, ['image-edits']) && { edits: true }) },
    pricing,
    list_pricing: pricing,
    discount: null,
    regions: model.regions ?? [],
    ...(model.aliasOf !== undefined && { alias_of: model.aliasOf }),
  };
}

interface Row {
  readonly model: Model;
  readonly object: ModelObject;
  readonly json: string;
}

const IMAGE: readonly Endpoint[] = ['images', 'image-edits'];

function serves(model: Model, endpoints: readonly Endpoint[]): boolean {
  return model.endpoints.some((endpoint) => endpoints.includes(endpoint));
}

function listFor(rows: readonly Row[], write: (rows: readonly Row[]) => string): JsonList {
  const whole = write(rows);
  return (caller) => {
    const unlimited = !caller || (caller.accountModels === null && caller.region === null);
    return unlimited ? whole : write(rows.filter(({ model }) => visibleTo(caller, model)));
  };
}

function plain(rows: readonly Row[]): string {
  return `{"object":"list","data":[${rows.map(({ json }) => json).join(',')}]}`;
}

/** The offers of each bare name together. */
function groups(rows: readonly Row[]): string {
  const offers = new Map<string, Row[]>();
  for (const row of rows) {
    const same = offers.get(row.model.name);
    if (same) same.push(row);
    else offers.set(row.model.name, [row]);
  }
  return JSON.stringify({ object: 'list', data: [...offers].map(group) });
}

function group([id, rows]: [string, Row[]]): ModelGroup {
  return {
    id,
    object: 'model',
    created: Math.min(...rows.map(({ model }) => model.created)),
    owned_by: rows[0]?.model.provider ?? '',
    mode: rows.some(({ model }) => serves(model, ['messages'])) ? 'chat' : 'image_generation',
    endpoint_count: rows.length,
    endpoints: rows.map(({ object }) => object),
  };
}
