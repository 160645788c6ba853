import { type Config, type ProviderSettings } from '../config/config.js';
import { variablePrefix } from '../config/read-config.js';
import { type Deployment, identityOf } from '../providers/deployment.js';
import { type Provider, type ProviderConnection } from '../providers/provider.js';
import { checkBaseAddress } from './base-address.js';
import { type CloudAccess, cloudAccess } from './cloud-access.js';
import { numberedKeys } from './numbered-keys.js';
import {
  CREDENTIAL,
  type DeploymentList,
  type DeploymentRow,
  type OwnProviderRow,
} from './provider-rows.js';

/**
 * How a built-in provider is reached here; undefined when it is off. One that has an address of its
 * own needs a key, a self-hosted one needs an address, a cloud's one needs its cloud's settings, and
 * the sandbox needs nothing. A key from the database stands in front of the environment's first one.
 * What is wrong or half configured is added to `problems`.
 *
 * @param listed the deployments of the operator's file, whose problems are noted there.
 */
export function connect(
  provider: Provider,
  config: Config,
  storedKey: string | undefined,
  problems: string[],
  listed: DeploymentList = NOT_LISTED,
): ProviderConnection | undefined {
  if (provider.name === 'sandbox') {
    // Never looked up: calls to the sandbox do not leave the process.
    const baseUrl = new URL(provider.baseUrl ?? 'http://sandbox.invalid');
    return config.sandbox ? { provider, baseUrl, apiKey: undefined, place: {} } : undefined;
  }
  const settings = config.provider(provider.name);
  const prefix = variablePrefix(provider.name);
  const { rows } = listed;
  const moreKeys = numberedIn(settings, prefix, storedKey, problems);
  refuseAddresses(prefix, settings, problems);
  if (rows.length > 0 && moreKeys.length > 0) {
    listed.problem(`and ${prefix}_API_KEY_2 exclude each other`);
  }
  const cloud = cloudAccess(provider, config, problems);
  const given: Given = { provider, settings, prefix, storedKey, listed, cloud };
  const baseUrl = addressOf(given, config, problems);
  if (!baseUrl || lacksKey(given, problems)) return undefined;
  checkRows(given, baseUrl);
  const apiKey = storedKey ?? settings.apiKey ?? keyOfAll(rows);
  const keyRows = [apiKey, ...moreKeys].map((key) => ({ ...KEY_ONLY, apiKey: key }));
  const place = { ...cloud?.place, path: pathOf(baseUrl) };
  return { provider, place, ...reached({ baseUrl, apiKey }, rows.length > 0 ? rows : keyRows) };
}

/** What there is to reach a built-in provider by. */
interface Given {
  readonly provider: Provider;
  readonly settings: ProviderSettings;
  /** Of its variables. */
  readonly prefix: string;
  readonly storedKey: string | undefined;
  readonly listed: DeploymentList;
  readonly cloud: CloudAccess | undefined;
}

/** The keys behind the first one in the environment, all of which are checked. */
function numberedIn(
  { apiKey, moreKeys = new Map<string, string>() }: ProviderSettings,
  prefix: string,
  storedKey: string | undefined,
  problems: string[],
): string[] {
  const variable = `${prefix}_API_KEY`;
  if (apiKey !== undefined && !CREDENTIAL.test(apiKey)) {
    problems.push(`${variable} must be visible ASCII`);
  }
  return numberedKeys({ variable, apiKey, moreKeys }, storedKey ?? apiKey, problems);
}

/** Where it is called; undefined where there is no address, or a wrong one. */
function addressOf(
  { provider, settings, prefix, storedKey, listed, cloud }: Given,
  { allowInsecureUpstream: allowInsecure }: Config,
  problems: string[],
): URL | undefined {
  const { rows } = listed;
  const listedUrl = common(rows, (row) => row.baseUrl);
  const address = settings.baseUrl ?? provider.baseUrl ?? cloud?.baseUrl ?? listedUrl?.href;
  if (address === undefined) {
    // A key in the database must not keep a gateway from starting.
    const hasOnlyKey = settings.apiKey !== undefined && storedKey === undefined;
    // What an address of a cloud is made of has been asked for already.
    if (hasOnlyKey && !cloud) problems.push(`${prefix}_BASE_URL is needed with ${prefix}_API_KEY`);
    else if (rows.length > 0) listed.problem(`needs ${prefix}_BASE_URL, or base_url in each`);
    return undefined;
  }
  const checked = checkBaseAddress(address, { allowInsecure });
  if ('url' in checked) return checked.url;
  problems.push(`${prefix}_BASE_URL ${checked.problem}`);
  return undefined;
}

/** Whether it is off for want of a key; where that is half a setting, it is a problem too. */
function lacksKey(
  { provider, settings, prefix, storedKey, listed, cloud }: Given,
  problems: string[],
): boolean {
  if (cloud?.hasCredential || isKeyless(provider)) return false;
  const { rows } = listed;
  const key = settings.apiKey ?? keyOfAll(rows);
  if (key !== undefined) return false;
  // A key in the database may be removed: what is said of deployments has to hold without it.
  if (rows.length > 0) listed.problem(`needs ${prefix}_API_KEY, or api_key_env in each`);
  else if (storedKey !== undefined) return false;
  else if (provider.baseUrl === undefined && !cloud) {
    problems.push(`${prefix}_API_KEY is needed with ${prefix}_BASE_URL`);
  }
  return true;
}

/** What may differ between deployments of one provider. */
function checkRows({ listed, cloud }: Given, baseUrl: URL): void {
  const path = pathOf(baseUrl);
  for (const row of listed.rows) {
    if (!row.baseUrl) continue;
    if (cloud) listed.problem("can only differ in its key: a region is the cloud's", row);
    // Some formats write it into their calls, which are made before a deployment is chosen.
    else if (pathOf(row.baseUrl) !== path) {
      listed.problem(`must have the path ${path || '/'} in its base_url`, row);
    }
  }
}

/**
 * How a provider of the operator's own is reached, with the keys that are numbered behind the variable
 * of its `api_key_env`. A key from the database stands in front of the first one. What is wrong is added
 * to `problems`.
 *
 * @param isTaken whether a variable is meant for something else.
 */
export function connectOwn(
  { name, baseUrl, apiKey, keyVariable, deployments }: OwnProviderRow,
  provider: Provider,
  config: Config,
  storedKey: string | undefined,
  isTaken: (variable: string) => boolean,
  problems: string[],
): ProviderConnection {
  const prefix = variablePrefix(name);
  const usual = `${prefix}_API_KEY`;
  const numbered = (variable: string) => ({
    variable,
    apiKey,
    moreKeys: new Map(
      [...config.moreSecrets(variable)].filter(([number]) => !isTaken(`${variable}_${number}`)),
    ),
  });
  const own = { baseUrl, apiKey: storedKey ?? apiKey };
  refuseAddresses(prefix, config.provider(name), problems);
  for (const number of keyVariable === usual ? [] : numbered(usual).moreKeys.keys()) {
    problems.push(`${usual}_${number} needs ${usual} as the api_key_env of providers.${name}`);
  }
  const moreKeys = keyVariable ? numberedKeys(numbered(keyVariable), own.apiKey, problems) : [];
  if (deployments && moreKeys.length > 0) {
    problems.push(`providers.${name}.deployments and ${keyVariable}_2 exclude each other`);
  }
  const keyRows = [own.apiKey, ...moreKeys].map((key) => ({ ...KEY_ONLY, apiKey: key }));
  return { provider, place: {}, ...reached(own, deployments ?? keyRows) };
}

/** Whether calls go with a key: not where each of the deployments has another one. */
export function hasKey({ apiKey, deployments }: ProviderConnection, key: string): boolean {
  return apiKey === key || deployments?.some((one) => one.apiKey === key) === true;
}

/**
 * Why a provider had better not get such a key from the database, in a sentence; undefined where it may.
 *
 * @param connection how it would be called with the key.
 */
export function storedKeyProblem(connection: ProviderConnection, key: string): string | undefined {
  const { provider, deployments = [] } = connection;
  if (!hasKey(connection, key))
    return `No call would go with this key: each of the deployments of ${provider.name} in MODELS_FILE names its own.`;
  // Both would be used up at once.
  return new Set(deployments.map(identityOf)).size < deployments.length
    ? `This key is one of those of ${provider.name} already: two deployments would be the same.`
    : undefined;
}

/** More addresses look like settings, and are none. */
function refuseAddresses(
  prefix: string,
  { strayAddresses = [] }: ProviderSettings,
  problems: string[],
): void {
  for (const number of strayAddresses) {
    const variable = `${prefix}_BASE_URL_${number}`;
    problems.push(`${variable} is no setting: more addresses are deployments in MODELS_FILE`);
  }
}

const NOT_LISTED: DeploymentList = { rows: [], problem: () => undefined };
const KEY_ONLY = { baseUrl: undefined, weight: 1 };

/** Where a provider is reached whose deployments may leave out what they share. */
function reached(
  own: Pick<Deployment, 'baseUrl' | 'apiKey'>,
  rows: readonly DeploymentRow[] = [],
): Pick<ProviderConnection, 'baseUrl' | 'apiKey' | 'deployments'> {
  const deployments = rows.map(({ baseUrl, apiKey, weight }) => ({
    baseUrl: baseUrl ?? own.baseUrl,
    apiKey: apiKey ?? own.apiKey,
    weight,
  }));
  const { baseUrl, apiKey } = deployments[0] ?? own;
  return { baseUrl, apiKey, ...(deployments.length > 1 && { deployments }) };
}

/** The first row's value where every row has one. */
function common<T>(
  rows: readonly DeploymentRow[],
  of: (row: DeploymentRow) => T | undefined,
): T | undefined {
  const values = rows.map(of);
  return values.every((value) => value !== undefined) ? values[0] : undefined;
}

function keyOfAll(rows: readonly DeploymentRow[]): string | undefined {
  return common(rows, ({ apiKey }) => apiKey);
}

function pathOf(url: URL): string {
  return url.pathname.replace(/\/$/, '');
}

/** A server of one's own may want no key; one that names a header of its own for it always does. */
function isKeyless({ auth, baseUrl }: Provider): boolean {
  return auth.type === 'none' || (baseUrl === undefined && auth.type === 'bearer');
}
