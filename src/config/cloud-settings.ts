import { type AwsSettings, type GoogleCloudSettings } from './config.js';
import { type Environment } from './environment.js';
import { numbered } from './numbered-variables.js';

/**
 * How AWS is reached: `AWS_*`. A key of which a part is missing is a problem, as is one without the
 * region that its signatures name.
 */
export function readAws(env: Environment, problems: string[]): AwsSettings {
  const region = text(env, 'AWS_REGION', REGION, problems);
  const accessKeyId = text(env, 'AWS_ACCESS_KEY_ID', VISIBLE, problems);
  const secretAccessKey = text(env, 'AWS_SECRET_ACCESS_KEY', VISIBLE, problems);
  const sessionToken = text(env, 'AWS_SESSION_TOKEN', VISIBLE, problems);
  const given = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].find((name) =>
    isSet(env, name),
  );
  const needs = (name: string, because: string | undefined): void => {
    if (because === undefined || isSet(env, name)) return;
    problems.push(`${name} is needed with ${because}`);
  };
  needs('AWS_ACCESS_KEY_ID', given);
  needs('AWS_SECRET_ACCESS_KEY', given);
  const bearer = isSet(env, 'BEDROCK_API_KEY') && !isSet(env, 'BEDROCK_BASE_URL');
  needs('AWS_REGION', given ?? (bearer ? 'BEDROCK_API_KEY' : undefined));
  const keys =
    accessKeyId !== undefined && secretAccessKey !== undefined
      ? { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
      : undefined;
  return { ...(region !== undefined && { region }), ...(keys && { keys }) };
}

/**
 * How Google Cloud is reached: `VERTEX_*` and `GOOGLE_APPLICATION_CREDENTIALS`. A project without a
 * credential is a problem, as is a credential without a project, unless the address is one's own.
 */
export function readGoogleCloud(env: Environment, problems: string[]): GoogleCloudSettings {
  const project = text(env, 'VERTEX_PROJECT', PROJECT, problems);
  const region = text(env, 'VERTEX_REGION', REGION, problems);
  const credentialsFile = env[CREDENTIALS]?.trim() || undefined;
  refuseNumbered(env, CREDENTIALS, problems);
  const credential = [CREDENTIALS, 'VERTEX_API_KEY'].find((name) => isSet(env, name));
  const named = ['VERTEX_PROJECT', 'VERTEX_REGION'].find((name) => isSet(env, name));
  if (named !== undefined && credential === undefined) {
    problems.push(`${CREDENTIALS} or VERTEX_API_KEY is needed with ${named}`);
  }
  if (credential !== undefined && !isSet(env, 'VERTEX_PROJECT') && !isSet(env, 'VERTEX_BASE_URL')) {
    problems.push(`VERTEX_PROJECT is needed with ${credential}`);
  }
  return {
    ...(project !== undefined && { project }),
    region: region ?? DEFAULT_REGION,
    ...(credentialsFile !== undefined && { credentialsFile }),
  };
}

const CREDENTIALS = 'GOOGLE_APPLICATION_CREDENTIALS';

/**
 * Where the newest models of Google and its partners are served at all, and at no extra charge.
 * https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai#global-multi-region-and-regional-endpoints
 */
const DEFAULT_REGION = 'global';

/** Both become part of a host name or a path. */
const REGION = /^[a-z][a-z0-9-]{0,62}$/;
/**
 * An id, a number, or an id with a domain.
 * https://cloud.google.com/resource-manager/docs/creating-managing-projects
 */
const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,126}$/;
/** Anything else could not be sent in a header. */
const VISIBLE = /^[\x21-\x7e]+$/;

function isSet(env: Environment, name: string): boolean {
  return (env[name]?.trim() ?? '') !== '';
}

/** The value, which may be a secret and is not repeated when it is wrong. */
function text(
  env: Environment,
  name: string,
  form: RegExp,
  problems: string[],
): string | undefined {
  const value = env[name]?.trim() || undefined;
  refuseNumbered(env, name, problems);
  if (value === undefined || form.test(value)) return value;
  problems.push(`${name} has characters that do not belong there`);
  return undefined;
}

/** A second account looks like the numbered keys of other providers, and is none. */
function refuseNumbered(env: Environment, name: string, problems: string[]): void {
  if (!isSet(env, name)) return;
  for (const number of numbered(env, `${name}_`).keys()) {
    problems.push(`${name}_${number} is no setting: a cloud has one account and one region`);
  }
}
