import { type Config } from '../config/config.js';
import { variablePrefix } from '../config/read-config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Model } from '../contract/model.js';
import {
  type ProviderConnection,
  type UpstreamCall,
  type UpstreamReply,
} from '../providers/provider.js';
import { readReply } from '../upstream/read-reply.js';
import { type UpstreamClient } from '../upstream/upstream-client.js';
import { failed, ok, type CheckResult } from './finding.js';
import { plainReason } from './plain-reason.js';
import { type Trial, trialModels, trialOf } from './provider-trial.js';

/** How a provider is called, and by which settings the operator knows it. */
export interface Doctored {
  readonly connection: ProviderConnection;
  /** The listed models of the provider. */
  readonly models: readonly Model[];
  readonly config: Pick<Config, 'provider'>;
}

/**
 * Whether a provider answers a small real call to its cheapest model, which costs what it costs.
 * Where it has none that answers in words or numbers, only whether its address answers.
 */
export async function checkProvider(upstream: UpstreamClient, it: Doctored): Promise<CheckResult> {
  let first: Tried | undefined;
  // A key need not be good for every model, and a model is taken out of service now and then.
  for (const model of trialModels(it.models).slice(0, MOST_MODELS)) {
    const trial = trialOf({ model, connection: it.connection });
    if (!trial) continue;
    const verdict = await tried(upstream, it, model, trial);
    if (verdict.status === 'ok') return verdict;
    first ??= verdict;
    if (!verdict.elsewhere) break;
  }
  return first ?? reached(upstream, it);
}

const MOST_MODELS = 3;
const PATIENCE_S = 30;

interface Tried extends CheckResult {
  /** Another model of the provider may do. */
  readonly elsewhere?: true;
}

async function tried(
  upstream: UpstreamClient,
  it: Doctored,
  model: Model,
  trial: Trial,
): Promise<Tried> {
  const reply = await send(upstream, it, trial.call);
  if ('detail' in reply) return reply;
  const { status } = reply;
  const said = it.connection.provider.decodeError(reply)?.message;
  if (status >= 200 && status < 300) {
    if (said !== undefined)
      return failed(`${model.id} answered ${status}, but with an error`, said);
    if (trial.isUnderstood(reply)) return ok(`${model.id} answered`);
    return failed(`${model.id} answered ${status}, but not in its format; is the address right?`);
  }
  if (status === 401) return failed(`${keyOf(it)} was refused (401)`, said);
  if (status === 402) return failed('there is no credit left (402)', said);
  if (status === 429) return failed('no more calls are let through (429)', said);
  if (status < 400) return failed(`the address ${addressOf(it)} leads elsewhere (${status})`);
  if (status >= 500) return failed(`${model.id} failed (${status})`, said);
  const words: Readonly<Record<number, string>> = {
    403: `${keyOf(it)} was refused for ${model.id} (403)`,
    404: `${model.id} is not there, or the address ${addressOf(it)} is wrong (404)`,
  };
  const detail = words[status] ?? `${model.id} did not take a small request (${status})`;
  return { ...failed(detail, said), elsewhere: true };
}

/** Any answer will do; only one that refuses the key says something of it. */
async function reached(upstream: UpstreamClient, it: Doctored): Promise<CheckResult> {
  const reply = await send(upstream, it, { method: 'GET', path: '', framing: 'none' });
  if ('detail' in reply) return reply;
  if (reply.status === 401) return failed(`${keyOf(it)} was refused (401)`);
  const why = it.models.length === 0 ? 'it has no models' : 'its models only make images';
  return ok(`the address answers (${reply.status}); ${why}, so no call was made`);
}

async function send(
  upstream: UpstreamClient,
  it: Doctored,
  call: UpstreamCall,
): Promise<UpstreamReply | CheckResult> {
  const signal = AbortSignal.timeout(PATIENCE_S * 1_000);
  const options = { signal, stream: false, sandboxed: false, headers: {} };
  try {
    return await readReply(await upstream.send(it.connection, call, options));
  } catch (error) {
    // What nothing outside has caused is about the gateway's own credentials.
    if (error instanceof GatewayError && error.details.cause === undefined) {
      return failed(`no call can be made with ${keyOf(it)}`, error.message);
    }
    const reason = signal.aborted ? `no answer within ${PATIENCE_S} s` : plainReason(error);
    return failed(`the address ${addressOf(it)} does not answer`, reason);
  }
}

/** What the operator has set to say who the gateway is. */
function keyOf({ connection: { provider, apiKey }, config }: Doctored): string {
  if (apiKey === undefined) {
    if (provider.auth.type === 'aws-signature') return 'AWS_ACCESS_KEY_ID';
    if (provider.auth.type === 'google-oauth') return 'GOOGLE_APPLICATION_CREDENTIALS';
    return 'a call without a key';
  }
  const isFromEnvironment = config.provider(provider.name).apiKey === apiKey;
  if (isFromEnvironment) return `${variablePrefix(provider.name)}_API_KEY`;
  return `the key of ${provider.name}`;
}

function addressOf({ connection: { provider, baseUrl }, config }: Doctored): string {
  const { baseUrl: set } = config.provider(provider.name);
  const isSet = set !== undefined && URL.parse(set)?.origin === baseUrl.origin;
  const address = baseUrl.origin + baseUrl.pathname.replace(/\/$/, '');
  return isSet ? `${address} (${variablePrefix(provider.name)}_BASE_URL)` : address;
}
