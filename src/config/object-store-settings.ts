import { type ObjectStore } from './config.js';
import { type Environment } from './environment.js';

/**
 * The bucket of the `S3_*` settings; undefined without them. Some of them without the others would
 * be a mistake that shows late, so it is one of the problems.
 */
export function readObjectStore(env: Environment, problems: string[]): ObjectStore | undefined {
  const values = SETTINGS.map((name) => env[name]?.trim() ?? '');
  const missing = SETTINGS.filter((_, index) => values[index] === '');
  if (missing.length === SETTINGS.length) return undefined;
  for (const name of missing) {
    problems.push(`${name} must be set, because other S3 settings are`);
  }
  const [bucket = '', address = '', region = '', accessKeyId = '', secretAccessKey = ''] = values;
  if (bucket !== '' && !BUCKET.test(bucket))
    problems.push('S3_BUCKET must be the name of a bucket');
  const endpoint = ADDRESS.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  // It may hold a password, so it is not repeated.
  if (address !== '' && !endpoint) problems.push('S3_ENDPOINT must be an address https://…');
  return endpoint && { bucket, endpoint, region, accessKeyId, secretAccessKey };
}

const SETTINGS = [
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;
/** Older buckets may have capitals and underscores. */
const BUCKET = /^[a-z\d][\w.-]{1,253}[a-z\d]$/i;
const ADDRESS = /^https?:\/\/[^?#@]+$/i;
