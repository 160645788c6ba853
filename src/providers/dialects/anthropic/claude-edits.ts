import { type NeutralRequest } from '../../../contract/neutral.js';
import { withoutTurnSettings } from '../../../contract/turn-settings.js';
import { ROUTER } from '../../../contract/router.js';
import { type Edits } from '../../../json/splice.js';
import { type Fields, isObject, listOf } from '../../../json/values.js';
import { type RelayContext } from '../../provider.js';
import { historyEdits } from './anthropic-history.js';
import { suitedFields, substituteFields } from './anthropic-request.js';
import { refuseAnswers } from './anthropic-turns.js';
import { editsTo, thinkingEdits } from './anthropic-thinking.js';
import { refuseThread } from '../asked-output.js';
import { withoutAutomaticCache } from '../automatic-cache.js';
import { claudeOf } from './claude-model.js';
import { refuseBeyondCloud, refuseKept } from './claude-refusals.js';
import { saidToClaude } from './claude-said.js';
import { extraFields } from '../extra-fields.js';
import { isOfProvider, isSubstitute } from '../substitute-model.js';

/**
 * What changes in a relayed Messages body for the model that serves it. One that the caller named gets
 * what the caller says, but for history that is not Anthropic's and thinking that it does not know. A
 * Claude that the caller did not name, behind a fallback or `@router`, gets all of it as it can take
 * it, as if the caller spoke another format; what only another maker's model takes goes.
 *
 * @throws GatewayError 400 for a thread, a file or a container, where a server that the caller did not name
 * keeps none, and for the beginning of an answer that the model would not continue.
 */
export function claudeEdits(call: Pick<RelayContext, 'body' | 'model' | 'headers'>): Edits {
  const { body, model, headers } = call;
  if (!isSubstitute(body.model, model)) {
    return new Map([...historyEdits(call), ...thinkingEdits(call)]);
  }
  const request = body as unknown as NeutralRequest;
  // Elsewhere a field that is not known may be passed over, and with it the whole conversation.
  if (model.provider !== 'anthropic') refuseThread(request);
  const { messages } = body;
  if (!Array.isArray(messages) || !messages.every(isObject)) return historyEdits(call);
  if (!mayKeep(body.model, model)) refuseKept(request);
  if (!claudeOf(model.name)) return historyEdits(call);
  refuseAnswers(request.messages, model.name);
  const isForeign = claudeOf(String(body.model)) === undefined;
  // Few models know settings of single turns.
  const general = withoutTurnSettings(request);
  const said = isForeign ? saidToClaude(general) : general;
  return editsTo(
    {
      ...(isForeign && without(extraFields(request))),
      ...suitedFields(said, model, request.max_tokens ?? LEAST_TOKENS),
      system: said.system,
      ...(refusesSampling(headers) && SAMPLED),
      ...substituteFields(request, model),
    },
    body,
  );
}

/**
 * The same on a cloud, where neither threads nor the automatic cache are, and the version stands in the
 * body and is not the caller's.
 *
 * @throws GatewayError 400 for a thread, and for what no cloud has where another model was named.
 */
export function cloudEdits({ body, model }: Pick<RelayContext, 'body' | 'model'>): Edits {
  const request = body as unknown as NeutralRequest;
  refuseThread(request);
  if (listOf(body.messages).every(isObject)) refuseBeyondCloud(request, model);
  const marked = withoutAutomaticCache(body);
  return new Map([...editsTo(marked, body), ...claudeEdits({ body: marked, model, headers: {} })]);
}

/** Whether a model may be of the provider that keeps a file, which another one of the same has named. */
function mayKeep(named: unknown, { provider }: RelayContext['model']): boolean {
  return provider === 'anthropic' || named === ROUTER || isOfProvider(named, provider);
}

/** What the gateway asks for where a request has no bound. */
const LEAST_TOKENS = 1_024;

const SAMPLED: Fields = { temperature: undefined, top_p: undefined, top_k: undefined };

function without(fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, undefined]));
}

/**
 * With that version Anthropic refuses `temperature`, `top_p` and `top_k` for every model.
 * https://docs.anthropic.com/en/api/versioning
 */
function refusesSampling(headers: Readonly<Record<string, string | undefined>>): boolean {
  return (headers['anthropic-version'] ?? '') >= '2026-10-21';
}
