import { type Endpoint } from '../contract/endpoint.js';
import { type Capabilities, type Model, type ModelSpec, type Region } from '../contract/model.js';
import { readPricing } from './pricing-fields.js';
import { PROVIDER_NAME } from './provider-names.js';
import {
  type DeploymentList,
  type OwnProviderRow,
  type ProviderRules,
  readDeployments,
  readProvider,
} from './provider-rows.js';
import { YamlValue } from './yaml-value.js';

/** The name under which problems of the file are reported. */
export const MODELS_FILE = 'MODELS_FILE';

/** What the file says of a model; what it does not say is absent. */
export interface ModelRow {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly given: Partial<Omit<ModelSpec, 'name'> & Pick<Model, 'pricing' | 'hedgeAfterMs'>>;
  /** Notes what is wrong with the row. */
  readonly problem: (message: string) => void;
}

/** What the operator’s file says, whatever it is laid over. */
export interface ModelsFile {
  readonly providers: readonly OwnProviderRow[];
  /** Every name of an own provider, also of those that are wrong. */
  readonly providerNames: ReadonlySet<string>;
  /** The variables that it names as keys. */
  readonly keyVariables: ReadonlySet<string>;
  /** Of built-in providers. */
  readonly deployments: ReadonlyMap<string, DeploymentList>;
  readonly models: readonly ModelRow[];
}

/** Reads a whole models file; what is wrong is added to `problems` with its path and line. */
export function readModelsFile(
  text: string,
  { config, takenNames }: ProviderRules,
  problems: string[],
): ModelsFile {
  const keyVariables = new Set<string>();
  const secret = (variable: string): string | undefined => {
    keyVariables.add(variable);
    return config.secret(variable);
  };
  const rules = { config: { ...config, secret }, takenNames };
  const file = YamlValue.parse(text, MODELS_FILE, problems).only(['providers', 'models']);
  const entries = file.at('providers').members();
  const isOfBuiltIn = ([name, value]: (typeof entries)[number]): boolean =>
    takenNames.has(name) && name !== 'sandbox' && !value.at('deployments').absent;
  const own = entries.filter((entry) => !isOfBuiltIn(entry));
  return {
    keyVariables,
    providers: own.flatMap(([name, value]) => readProvider(name, value, rules) ?? []),
    providerNames: new Set(own.map(([name]) => name)),
    deployments: new Map(
      entries
        .filter(isOfBuiltIn)
        .map(([name, value]) => [name, readDeployments(value.only(['deployments']), rules)]),
    ),
    models: file
      .at('models')
      .members()
      .flatMap(([id, value]) => readModel(id, value) ?? []),
  };
}

const ENDPOINTS = ['messages', 'embeddings', 'images', 'image-edits'] as const;
const MODEL_KEYS = [
  'enabled',
  'endpoints',
  'context_length',
  'max_output_tokens',
  'pricing',
  'capabilities',
  'regions',
  'hedge_after_ms',
];

const LISTS = ['input_modalities', 'output_modalities', 'sizes'] as const;
const COUNTS = ['max_input_items', 'dimensions', 'max_images'] as const;
const FLAGS = [
  'supports_reasoning',
  'supports_web_search',
  'supports_tool_choice',
  'supports_computer_use',
  'supports_prompt_caching',
  'supports_response_schema',
  'supports_system_messages',
  'supports_function_calling',
  'supports_native_streaming',
  'supports_assistant_prefill',
  'supports_embedding_image_input',
  'supports_parallel_function_calling',
  'supports_dimensions',
  'dimensions_by_truncation',
  'mask',
  'remote_urls',
] as const;

const LONGEST_ID = 256;
const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

function readModel(id: string, value: YamlValue): ModelRow | undefined {
  value.only(MODEL_KEYS);
  const slash = id.indexOf('/');
  const [provider, name] = [id.slice(0, Math.max(slash, 0)), id.slice(slash + 1)];
  // It stands in headers of the answer.
  const printable = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name);
  if (!PROVIDER_NAME.test(provider) || !printable || id.length > LONGEST_ID) {
    value.problem(`must be a model id "provider/name" of at most ${LONGEST_ID} ASCII characters`);
    return undefined;
  }
  const given = {
    endpoints: readEndpoints(value.at('endpoints')),
    contextLength: value.at('context_length').whole(1),
    maxOutputTokens: value.at('max_output_tokens').whole(1),
    pricing: readPricing(value.at('pricing')),
    capabilities: readCapabilities(value.at('capabilities')),
    regions: readRegions(value.at('regions')),
    hedgeAfterMs: readHedge(value.at('hedge_after_ms')),
  };
  return {
    id,
    provider,
    name,
    enabled: value.at('enabled').flag() ?? true,
    given: definedOnly(given),
    problem: (message) => {
      value.problem(message);
    },
  };
}

function readEndpoints(value: YamlValue): Endpoint[] | undefined {
  const endpoints = value.items()?.flatMap((item) => item.oneOf(ENDPOINTS) ?? []);
  if (endpoints?.length === 0) value.problem(`needs one or more of ${ENDPOINTS.join(', ')}`);
  return endpoints && [...new Set(endpoints)];
}

/** As `routing.hedge_after_ms` of a request. */
function readHedge(value: YamlValue): number | undefined {
  const ms = value.whole(50);
  if (ms !== undefined && ms > 60_000) value.problem('must be at most 60000');
  return ms;
}

function readCapabilities(value: YamlValue): Capabilities | undefined {
  if (value.absent) return undefined;
  value.only([...LISTS, ...FLAGS, ...COUNTS]);
  return definedOnly(
    Object.fromEntries([
      ...LISTS.map((key) => [
        key,
        value
          .at(key)
          .items()
          ?.flatMap((item) => item.text() ?? []),
      ]),
      ...FLAGS.map((key) => [key, value.at(key).flag()]),
      ...COUNTS.map((key) => [key, value.at(key).whole(1)]),
    ]) as Capabilities,
  );
}

/** The regions of a list of codes, each once; undefined where there is no list. */
export function readRegions(value: YamlValue): Region[] | undefined {
  const regions = value.items()?.flatMap(readRegion);
  return regions && [...new Map(regions.map((region) => [region.code, region])).values()];
}

function readRegion(value: YamlValue): Region[] {
  const code = value.text()?.toLowerCase();
  if (code === undefined) return [];
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(code))
    value.problem('must be a region code such as eu or us');
  return [{ code, name: regionName(code) }];
}

function regionName(code: string): string {
  if (code === 'eu') return 'Europe';
  return /^[a-z]{2}$/.test(code) ? (COUNTRY_NAMES.of(code.toUpperCase()) ?? code) : code;
}

function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
