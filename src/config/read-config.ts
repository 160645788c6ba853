import { readAws, readGoogleCloud } from './cloud-settings.js';
import { type Config, type LogLevel, type ProviderSettings, type RateLimit } from './config.js';
import { type Environment } from './environment.js';
import { numbered } from './numbered-variables.js';
import { readObjectStore } from './object-store-settings.js';
import { isProxyList } from './trust-proxy.js';
import { readWorkers } from './worker-count.js';

/** A start that cannot go on; the message lists every setting that is wrong, by its name. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The gateway cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** @throws ConfigError with every problem that `readSettings` finds. */
export function readConfig(env: Environment): Config {
  const { config, problems } = readSettings(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Reads every setting from the environment. Pure: it opens nothing. For a wrong one stands what it is
 * when it is unset, so that what depends on it can be looked at too.
 */
export function readSettings(env: Environment): { config: Config; problems: readonly string[] } {
  const problems: string[] = [];
  const read = new SettingsReader(env, problems);
  const config: Config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.whole('PORT', 3000, { least: 0, most: 65535 }),
    workers: readWorkers(env, problems),
    dataDir: read.text('DATA_DIR') ?? './data',
    databaseUrl: read.address('DATABASE_URL', POSTGRES_URL, 'postgres://user@host:5432/name'),
    redisUrl: read.address('REDIS_URL', REDIS_URL, 'redis://host:6379 or rediss://…'),
    objectStore: readObjectStore(env, problems),
    uploadQuota: {
      bytes: read.whole('UPLOAD_QUOTA_BYTES', 10 * 1024 ** 3, { most: Number.MAX_SAFE_INTEGER }),
      files: read.whole('UPLOAD_QUOTA_FILES', 10_000),
    },
    adminKey: read.secretKey('CAUSEWAY_ADMIN_KEY'),
    apiKey: read.secretKey('CAUSEWAY_API_KEY'),
    keyPepper: read.secretKey('KEY_PEPPER'),
    encryptionKey: read.bytes('ENCRYPTION_KEY', 32),
    usageRetentionDays: read.optionalWhole('USAGE_RETENTION_DAYS', { least: 1, most: 36_500 }),
    sandbox: read.flag('SANDBOX', true),
    modelsFile: read.text('MODELS_FILE'),
    routerPriorFile: read.text('ROUTER_PRIOR_FILE'),
    routerExploration: read.share('ROUTER_EXPLORATION', 0, { most: 0.02 }),
    provider: (name) => providerSettings(env, name),
    aws: readAws(env, problems),
    googleCloud: readGoogleCloud(env, problems),
    secret: (variable) => env[variable]?.trim() || undefined,
    moreSecrets: (variable) => numbered(env, `${variable}_`),
    allowInsecureUpstream: read.flag('ALLOW_INSECURE_UPSTREAM', false),
    breaker: read.flag('BREAKER', true),
    breakerSlowMs: read.optionalWhole('BREAKER_SLOW_MS', { least: 1, most: 2 ** 31 - 1 }),
    timeouts: {
      connectMs: read.whole('UPSTREAM_CONNECT_TIMEOUT_MS', 5_000, { least: 1 }),
      firstByteMs: read.whole('UPSTREAM_FIRST_BYTE_TIMEOUT_MS', 120_000, { least: 1 }),
      idleMs: read.whole('UPSTREAM_IDLE_TIMEOUT_MS', 60_000, { least: 1 }),
      totalMs: read.whole('UPSTREAM_TOTAL_TIMEOUT_MS', 600_000, { least: 1 }),
    },
    streamPingMs: read.whole('STREAM_PING_MS', 10_000, { least: 1 }),
    streamStallMs: read.whole('STREAM_STALL_MS', 60_000, { least: 1 }),
    drainDelayMs: read.whole('DRAIN_DELAY_MS', 0),
    graceMs: read.whole('GRACE_MS', 30_000),
    reconcileAfterMs: 1_000 * read.whole('RECONCILE_AFTER_S', 60, { least: 1, most: 86_400 }),
    rateLimit: read.rate('RATE_LIMIT', { limit: 100, windowMs: 1000 }),
    trustProxy: read.trustProxy(),
    metricsToken: read.secretKey('METRICS_TOKEN'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    bodyLimitBytes: read.whole('BODY_LIMIT_BYTES', 32 * 1024 * 1024, { least: 1024 }),
    maxBufferedBytes: read.optionalWhole('MAX_BUFFERED_BYTES', {
      least: 1024 * 1024,
      most: Number.MAX_SAFE_INTEGER,
    }),
    maxConnections: read.optionalWhole('MAX_CONNECTIONS', { least: 20, most: 10_000_000 }),
    embeddingsMaxInputs: read.whole('EMBEDDINGS_MAX_INPUTS', 10_000, { least: 1 }),
    imageFetch: read.flag('IMAGE_FETCH', false),
    publicUrl: read.address('PUBLIC_URL', ORIGIN, 'https://gateway.example, without a path'),
    acceptApiKeyHeader: read.flag('ACCEPT_X_API_KEY', true),
  };
  if (config.adminKey !== undefined && config.adminKey === config.apiKey) {
    problems.push('CAUSEWAY_ADMIN_KEY and CAUSEWAY_API_KEY must differ');
  }
  // Less would not be kept to: each worker has room for so many in any case.
  const least = LEAST_BODIES * config.bodyLimitBytes * config.workers;
  if ((config.maxBufferedBytes ?? Infinity) < least) {
    problems.push(
      `MAX_BUFFERED_BYTES must be at least five times BODY_LIMIT_BYTES for each of WORKERS: ${least}`,
    );
  }
  return { config: Object.freeze(config), problems };
}

/** So many of the longest bodies a process has memory for: one, beside what is kept for small ones. */
export const LEAST_BODIES = 5;

/** The prefix of a provider's variables: `my-vllm` gives `MY_VLLM`. */
export function variablePrefix(providerName: string): string {
  return providerName.toUpperCase().replaceAll('-', '_');
}

/** `"100/s"` as a limit and its window; undefined when it is not of that form. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const match = /^(\d{1,9})\/(s|m|h)$/.exec(text.trim());
  if (!match || Number(match[1]) < 1) return undefined;
  return { limit: Number(match[1]), windowMs: WINDOWS[match[2] as keyof typeof WINDOWS] };
}

const POSTGRES_URL = /^postgres(ql)?:\/\//;
const ORIGIN = /^https?:\/\/[^/?#@\s]+\/?$/;
const REDIS_URL = /^rediss?:\/\/[^/]+(\/\d*)?(\?.*)?$/;
const FLAG = /^(on|off|true|false|yes|no)$/i;
const WINDOWS = { s: 1_000, m: 60_000, h: 3_600_000 };
const LOG_LEVELS: readonly LogLevel[] = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
];
const SHORTEST_KEY = 24;
const MOST_PROXIES = 100;

function providerSettings(env: Environment, name: string): ProviderSettings {
  const prefix = variablePrefix(name);
  // CAUSEWAY_API_KEY is the gateway's own key, so no provider may read it as its credential.
  if (prefix === 'CAUSEWAY') return {};
  const apiKey = env[`${prefix}_API_KEY`]?.trim();
  const baseUrl = env[`${prefix}_BASE_URL`]?.trim();
  const moreKeys = numbered(env, `${prefix}_API_KEY_`);
  const strayAddresses = [...numbered(env, `${prefix}_BASE_URL_`).keys()];
  return {
    ...(apiKey && { apiKey }),
    ...(baseUrl && { baseUrl }),
    ...(moreKeys.size > 0 && { moreKeys }),
    ...(strayAddresses.length > 0 && { strayAddresses }),
  };
}

/** Reads single settings and notes each one that is wrong. An empty value counts as unset. */
class SettingsReader {
  constructor(
    private readonly env: Environment,
    private readonly problems: string[],
  ) {}

  text(name: string): string | undefined {
    return this.env[name]?.trim() || undefined;
  }

  whole(name: string, unset: number, { least = 0, most = 2 ** 31 - 1 } = {}): number {
    const text = this.text(name);
    if (text === undefined) return unset;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    this.problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`);
    return unset;
  }

  share(name: string, unset: number, { most }: { most: number }): number {
    const text = this.text(name);
    if (text === undefined) return unset;
    const value = Number(text);
    if (/^\d*\.?\d+$/.test(text) && value <= most) return value;
    this.problems.push(`${name} must be a number from 0 to ${most}, not "${text}"`);
    return unset;
  }

  optionalWhole(name: string, bounds: { least: number; most: number }): number | undefined {
    return this.text(name) === undefined ? undefined : this.whole(name, bounds.least, bounds);
  }

  /** Bytes written as base64; the value is a secret, so it is not repeated. */
  bytes(name: string, length: number): Buffer | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text, 'base64');
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text);
    if (isBase64 && bytes.length === length) return bytes;
    this.problems.push(`${name} must be ${length} bytes in base64: openssl rand -base64 ${length}`);
    return undefined;
  }

  flag(name: string, unset: boolean): boolean {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return unset;
    if (['1', 'true', 'on', 'yes'].includes(text)) return true;
    if (['0', 'false', 'off', 'no'].includes(text)) return false;
    this.problems.push(`${name} must be on or off, not "${text}"`);
    return unset;
  }

  address(name: string, pattern: RegExp, example: string): string | undefined {
    const text = this.text(name);
    // PostgreSQL's may have a name and no host: then that is among its parameters.
    const isAddress = text !== undefined && URL.canParse(text.replace('@/', '@host/'));
    if (text === undefined || (isAddress && pattern.test(text))) return text;
    // Such a value may hold a password, so it is not repeated.
    this.problems.push(`${name} must be an address such as ${example}`);
    return undefined;
  }

  secretKey(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (text.length < SHORTEST_KEY || !/^[\x21-\x7e]+$/.test(text)) {
      this.problems.push(
        `${name} must have at least ${SHORTEST_KEY} characters, all of them visible ASCII`,
      );
    }
    return text;
  }

  oneOf<T extends string>(name: string, values: readonly T[], unset: T): T {
    const text = this.text(name);
    if (text === undefined) return unset;
    const value = values.find((candidate) => candidate === text.toLowerCase());
    if (value === undefined) this.problems.push(`${name} must be one of ${values.join(', ')}`);
    return value ?? unset;
  }

  rate(name: string, unset: RateLimit): RateLimit {
    const text = this.text(name);
    if (text === undefined) return unset;
    const rate = parseRateLimit(text);
    if (!rate) this.problems.push(`${name} must look like 100/s, 600/m or 5000/h, not "${text}"`);
    return rate ?? unset;
  }

  /** Express' setting: on, off, a number of hops, or a list of addresses. */
  trustProxy(): boolean | number | string {
    const text = this.text('TRUST_PROXY');
    if (text === undefined) return false;
    if (/^\d+$/.test(text)) return this.whole('TRUST_PROXY', 0, { least: 0, most: MOST_PROXIES });
    if (FLAG.test(text)) return this.flag('TRUST_PROXY', false);
    if (isProxyList(text)) return text;
    this.problems.push(
      `TRUST_PROXY must be on, off, a number of proxies or their addresses, not "${text}"`,
    );
    return false;
  }
}
