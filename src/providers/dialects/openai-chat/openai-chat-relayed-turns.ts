import { type Model } from '../../../contract/model.js';
import { type Fields, listOf } from '../../../json/values.js';
import { alternatingTurns, refuseOneSided } from './alternating-turns.js';
import { unmarked } from '../cache-marks.js';
import { readableCalls, uniqueIds } from './openai-chat-calls.js';
import { knownTurns, takenFields } from './openai-chat-fields.js';
import { chatHistory } from './openai-chat-history.js';
import { type ChatQuirks, refusesMarks } from './openai-chat-quirks.js';
import { plainAnswers, textResults } from './openai-chat-results.js';
import { heardTurns, withoutNames } from './openai-chat-turns.js';
import { isOfProvider, isSubstitute } from '../substitute-model.js';

/**
 * The turns of a relayed chat as the model takes them; the same list where nothing changes.
 *
 * @throws GatewayError 400 for what it does not take.
 */
export function relayedTurns(
  body: Fields,
  model: Pick<Model, 'id' | 'provider' | 'capabilities'>,
  quirks: ChatQuirks,
): unknown {
  const { model: named, messages } = body;
  if (!Array.isArray(messages)) return messages;
  const isOther = isSubstitute(named, model);
  const given = isOther ? uniqueIds(messages) : messages;
  let turns = chatHistory({ ...body, messages: given }, model, quirks) ?? given;
  // A turn that the caller of the named model sent is judged by that one, unless the gateway took one away.
  const isOurs = isOther || turns !== messages;
  const refusesUnknown = takenFields(named, model, quirks) !== undefined;
  if (refusesUnknown && !isOfProvider(named, model.provider)) {
    turns = knownTurns(turns, quirks.thinksIn);
  }
  if (isOther) turns = turnsForOther(turns, quirks);
  if (quirks.alternates && isOurs) turns = alternatingTurns(turns);
  if (quirks.alternates && isOther) refuseOneSided(turns);
  return quirks.turns?.(turns) ?? turns;
}

/** The turns for a model that the caller did not name. */
function turnsForOther(known: readonly unknown[], quirks: ChatQuirks): readonly unknown[] {
  let turns = readableCalls(known);
  if (quirks.namesNobody) turns = withoutNames(turns);
  if (refusesMarks(quirks)) turns = listOf(unmarked(turns));
  // What a server of the operator's own takes in results nobody knows.
  if (!quirks.thinksIn) return turns;
  turns = textResults(turns);
  return quirks.knowsOpenai ? turns : heardTurns(plainAnswers(turns));
}
