import { type Config } from '../config/config.js';
import { type Format } from '../contract/endpoint.js';
import { isObject, isText } from '../json/values.js';
import { checkBaseAddress } from './base-address.js';
import { PROVIDER_NAME } from './provider-names.js';
import { type YamlValue } from './yaml-value.js';

/** A provider of the operator's own, checked. */
export interface OwnProviderRow {
  readonly name: string;
  readonly format: Format;
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  /** The variable that holds it. */
  readonly keyVariable: string | undefined;
  readonly deployments?: readonly DeploymentRow[];
}

/** One of a provider's keys or addresses; what it does not say it has from the provider. */
export interface DeploymentRow {
  readonly baseUrl: URL | undefined;
  readonly apiKey: string | undefined;
  readonly weight: number;
}

/** The `deployments` of a provider, as the file lists them. */
export interface DeploymentList {
  readonly rows: readonly DeploymentRow[];
  /** Notes what is wrong with the list, or with a row of it. */
  readonly problem: (message: string, row?: DeploymentRow) => void;
}

/** What providers of the operator’s own are checked against. */
export interface ProviderRules {
  readonly config: Pick<Config, 'secret' | 'allowInsecureUpstream'>;
  readonly takenNames: ReadonlySet<string>;
}

/** Visible ASCII: anything else could not be sent in a header. */
export const CREDENTIAL = /^[\x21-\x7e]+$/;

const FORMATS = ['openai', 'anthropic', 'gemini', 'converse', 'cohere'] as const;

/**
 * A provider of the operator's own; undefined when it is wrong, which is noted.
 */
export function readProvider(
  name: string,
  value: YamlValue,
  rules: ProviderRules,
): OwnProviderRow | undefined {
  const { config, takenNames } = rules;
  value.only(['format', 'base_url', 'api_key_env', 'deployments']);
  if (!PROVIDER_NAME.test(name))
    value.problem('is no provider name: lower case letters, digits, -');
  if (takenNames.has(name)) {
    // To say what it lacks as an own one would lead astray: with that it is refused all the same.
    value.problem('is the name of a built-in provider');
    return undefined;
  }
  const format = value.at('format').oneOf(FORMATS);
  const said = readAddress(value.at('base_url'), config.allowInsecureUpstream);
  const apiKey = readSecret(value.at('api_key_env'), config);
  const { written } = value.at('api_key_env');
  const keyVariable = apiKey !== undefined && isText(written) ? written : undefined;
  if (value.at('format').absent) value.problem('needs format');
  const { absent } = value.at('deployments');
  const own = { baseUrl: said, apiKey };
  const deployments = absent ? undefined : readDeployments(value, rules, own).rows;
  // It is for those that name none.
  const baseUrl = said ?? firstOfAll(deployments ?? []);
  if (!baseUrl && lacksAddress(value)) value.problem('needs base_url');
  if (!format || !baseUrl) return undefined;
  return { name, format, baseUrl, apiKey, keyVariable, ...(deployments && { deployments }) };
}

/** Whether it has none, or a deployment has a key alone; one that is wrong is told where it stands. */
function lacksAddress(entry: YamlValue): boolean {
  if (!entry.at('base_url').absent) return false;
  const { absent, written } = entry.at('deployments');
  const isKeyOnly = (item: unknown): boolean =>
    isObject(item) && isText(item.api_key_env) && !isText(item.base_url);
  return absent || (Array.isArray(written) && written.some(isKeyOnly));
}

/** The address of the first deployment, where each has one. */
function firstOfAll(rows: readonly DeploymentRow[]): URL | undefined {
  return rows.every(({ baseUrl }) => baseUrl) ? rows[0]?.baseUrl : undefined;
}

/**
 * The `deployments` of a provider's entry.
 *
 * @param own what those have that do not say it, where it is known yet.
 */
export function readDeployments(
  entry: YamlValue,
  { config }: Pick<ProviderRules, 'config'>,
  own: Partial<DeploymentRow> = {},
): DeploymentList {
  const list = entry.at('deployments');
  const items = list.items();
  if (items?.length === 0) list.problem('needs one or more');
  const places = new Map<DeploymentRow, YamlValue>();
  for (const item of items ?? []) {
    const row = readDeployment(item, config);
    const twin = [...places.keys()].findIndex((other) => isTwin(row, other, own));
    if (twin >= 0) item.problem(`is the address and key of deployments.${twin}`);
    places.set(row, item);
  }
  return {
    rows: [...places.keys()],
    problem: (message, row) => {
      ((row && places.get(row)) ?? list).problem(message);
    },
  };
}

function readDeployment(item: YamlValue, config: ProviderRules['config']): DeploymentRow {
  item.only(['base_url', 'api_key_env', 'weight']);
  if (item.at('base_url').absent && item.at('api_key_env').absent) {
    item.problem('needs base_url or api_key_env');
  }
  return {
    baseUrl: readAddress(item.at('base_url'), config.allowInsecureUpstream),
    apiKey: readSecret(item.at('api_key_env'), config),
    weight: item.at('weight').positive() ?? 1,
  };
}

/** One deployment twice: both would be used up at once. What says nothing, or is wrong, is none. */
function isTwin(row: DeploymentRow, other: DeploymentRow, own: Partial<DeploymentRow>): boolean {
  if ([row, other].some(({ baseUrl, apiKey }) => !baseUrl && apiKey === undefined)) return false;
  const address = ({ baseUrl = own.baseUrl }: DeploymentRow) => baseUrl?.href.replace(/\/$/, '');
  const key = ({ apiKey = own.apiKey }: DeploymentRow) => apiKey;
  return address(row) === address(other) && key(row) === key(other);
}

function readAddress(value: YamlValue, allowInsecure: boolean): URL | undefined {
  const text = value.text();
  if (text === undefined) return undefined;
  const checked = checkBaseAddress(text, { allowInsecure });
  if ('url' in checked) return checked.url;
  value.problem(checked.problem);
  return undefined;
}

/** A name that is written down but not set is a mistake, not a provider without a key. */
function readSecret(value: YamlValue, config: ProviderRules['config']): string | undefined {
  const variable = value.text();
  if (variable === undefined) return undefined;
  const allowed = /^[A-Za-z_]\w*$/.test(variable) && !/^causeway_/i.test(variable);
  if (!allowed) value.problem('must be the name of an environment variable, not CAUSEWAY_*');
  const secret = allowed ? config.secret(variable) : undefined;
  if (allowed && secret === undefined) value.problem(`names ${variable}, which is not set`);
  if (secret !== undefined && !CREDENTIAL.test(secret)) {
    value.problem(`names ${variable}, which is not all visible ASCII`);
  }
  return secret;
}
