import { readFileSync } from 'node:fs';
import { type Config } from '../config/config.js';
import { type Place } from '../providers/place.js';
import { type Provider } from '../providers/provider.js';

/** What a cloud's settings say of a provider that is reached by them. */
export interface CloudAccess {
  readonly place: Place;
  /** Undefined when the settings do not say enough to know it. */
  readonly baseUrl: string | undefined;
  /** There is a credential beside an API key. */
  readonly hasCredential: boolean;
}

/**
 * How a cloud's provider is reached, by the way it wants its credential; undefined for a provider
 * of no cloud. A credentials file that cannot be used is added to `problems`.
 */
export function cloudAccess(
  { auth }: Provider,
  { aws, googleCloud }: Pick<Config, 'aws' | 'googleCloud'>,
  problems: string[],
): CloudAccess | undefined {
  if (auth.type === 'aws-signature') {
    const { region } = aws;
    return {
      place: region === undefined ? {} : { region },
      baseUrl: region && `https://${auth.service}-runtime.${region}.${awsDomain(region)}`,
      hasCredential: aws.keys !== undefined,
    };
  }
  if (auth.type !== 'google-oauth') return undefined;
  const { project, region, credentialsFile } = googleCloud;
  if (credentialsFile !== undefined) checkCredentials(credentialsFile, problems);
  return {
    place: { region, ...(project !== undefined && { project }) },
    baseUrl: `https://${vertexHost(region)}`,
    hasCredential: credentialsFile !== undefined,
  };
}

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
function awsDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function vertexHost(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com';
  if (region === 'us' || region === 'eu') return `aiplatform.${region}.rep.googleapis.com`;
  return `${region}-aiplatform.googleapis.com`;
}

const USABLE = new Set<unknown>(['service_account', 'authorized_user', 'external_account']);

/** The file is read again, and by Google's library, when a token is wanted. */
function checkCredentials(path: string, problems: string[]): void {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as { type?: unknown } | null;
    if (USABLE.has(file?.type)) return;
  } catch {
    // Neither the file's text nor where it stopped making sense is repeated.
  }
  problems.push('GOOGLE_APPLICATION_CREDENTIALS is not the path of a credentials file');
}
