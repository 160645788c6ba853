/** Injection token of the gateway's `Config`. */
export const CONFIG = Symbol('CONFIG');

/** How to reach one provider. */
export interface ProviderSettings {
  /** `<NAME>_API_KEY`. */
  readonly apiKey?: string;
  /** `<NAME>_BASE_URL`. */
  readonly baseUrl?: string;
  /** `<NAME>_API_KEY_2` and on, by their numbers as they are written. */
  readonly moreKeys?: ReadonlyMap<string, string>;
  /** The numbers of `<NAME>_BASE_URL_2` and on, which look like settings and are none. */
  readonly strayAddresses?: readonly string[];
}

/** A long-lived or temporary key of AWS. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** `AWS_REGION`, and the key that signs calls where there is one. */
export interface AwsSettings {
  readonly region?: string;
  readonly keys?: AwsKeys;
}

/** `VERTEX_PROJECT`, `VERTEX_REGION` and `GOOGLE_APPLICATION_CREDENTIALS`. */
export interface GoogleCloudSettings {
  readonly project?: string;
  readonly region: string;
  /** Path of a service account's key or of another credentials file. */
  readonly credentialsFile?: string;
}

/** `N/s`, `N/m` or `N/h`, parsed. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** A bucket of an object store that speaks the S3 API. */
export interface ObjectStore {
  readonly bucket: string;
  /** The store's address, without the bucket. */
  readonly endpoint: URL;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * How many milliseconds a provider may take: to the connection, to the head of its answer, between two
 * pieces of it, and in all.
 */
export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Every setting, read once from the environment and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** How many processes serve on this machine. */
  readonly workers: number;
  readonly dataDir: string;
  /** `postgres://…`; undefined means the SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** `redis://…` or `rediss://…`; undefined means that this machine's processes share nothing with others. */
  readonly redisUrl: string | undefined;
  /** The bucket of the `S3_*` settings; undefined without them. */
  readonly objectStore: ObjectStore | undefined;
  /** What the files of one account may take together. */
  readonly uploadQuota: { readonly bytes: number; readonly files: number };
  readonly adminKey: string | undefined;
  readonly apiKey: string | undefined;
  readonly keyPepper: string | undefined;
  /** 32 bytes, under which provider credentials are kept in the database. */
  readonly encryptionKey: Buffer | undefined;
  /** Usage rows and feedback older than this are deleted; undefined keeps them. */
  readonly usageRetentionDays: number | undefined;
  readonly sandbox: boolean;
  /** Path of the operator's own models. */
  readonly modelsFile: string | undefined;
  /** Path of a table of the operator's own for `@router`; undefined for the one that is shipped. */
  readonly routerPriorFile: string | undefined;
  /** The share of new conversations for which `@router` tries another of its best models. */
  readonly routerExploration: number;
  /** Settings of a provider; `my-vllm` reads `MY_VLLM_API_KEY` and `MY_VLLM_BASE_URL`. */
  readonly provider: (name: string) => ProviderSettings;
  readonly aws: AwsSettings;
  readonly googleCloud: GoogleCloudSettings;
  /** The value of a variable that `MODELS_FILE` names as a provider's key. */
  readonly secret: (variable: string) => string | undefined;
  /** The values of `variable_2` and on, by their numbers as they are written. */
  readonly moreSecrets: (variable: string) => ReadonlyMap<string, string>;
  readonly allowInsecureUpstream: boolean;
  /** Models that fail too often get no calls for a while. */
  readonly breaker: boolean;
  /** An answer that takes longer counts as a failure of its model; undefined: none does. */
  readonly breakerSlowMs: number | undefined;
  readonly timeouts: Timeouts;
  /** The silence after which a stream gets a ping. */
  readonly streamPingMs: number;
  /** How long an answer's reader may leave what was written untaken before it is cut. */
  readonly streamStallMs: number;
  /** How long a gateway that is told to stop still takes requests: half a second at least. */
  readonly drainDelayMs: number;
  /** How long requests in flight have to end then. */
  readonly graceMs: number;
  /** How long a process may show no sign of life before what it holds is settled for it. */
  readonly reconcileAfterMs: number;
  readonly rateLimit: RateLimit;
  /** What Express calls `trust proxy`. */
  readonly trustProxy: boolean | number | string;
  readonly logLevel: LogLevel;
  /** What a scraper of `/metrics` must present; undefined: nothing. */
  readonly metricsToken: string | undefined;
  readonly bodyLimitBytes: number;
  /** Memory that requests in flight may take; undefined: a part of what there is. */
  readonly maxBufferedBytes: number | undefined;
  /** Of callers, in each process; undefined: by its memory and what it may have open. */
  readonly maxConnections: number | undefined;
  readonly embeddingsMaxInputs: number;
  /** Fetch `https:` images for providers that do not do so themselves. */
  readonly imageFetch: boolean;
  /** The gateway's own address as callers know it; undefined: what each request calls it. */
  readonly publicUrl: string | undefined;
  /** Accept `x-api-key` on `/v3/v1/*`. */
  readonly acceptApiKeyHeader: boolean;
}

/** From which severity on lines are logged. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
