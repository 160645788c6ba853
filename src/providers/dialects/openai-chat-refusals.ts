import { type Model } from '../../contract/model.js';
import { isText, listOf } from '../../json/values.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { untranslatable } from './placed-blocks.js';
import { isUnnamed, refuseMoreStops } from './unnamed-model.js';

/** What binds a model, so that it cannot be left out for one that refuses it. */
interface Binding {
  /** `model` of the request. */
  readonly named: unknown;
  /** `type` of a chat's `response_format`. */
  readonly format: unknown;
  readonly stop: unknown;
}

/**
 * Refuses what a model that the caller did not name would refuse, and what cannot be left out. One that was
 * named says so itself.
 *
 * @throws GatewayError 400 naming the field: another fallback may take it.
 */
export function refuseBinding(
  { named, format, stop }: Binding,
  model: Pick<Model, 'id' | 'capabilities'>,
  { refusesSchema, reasoningRefusesStop, mostStops = Infinity }: ChatQuirks,
): void {
  if (!isUnnamed(named, model)) return;
  refuseMoreStops({ named, stop }, model, { field: 'stop', most: mostStops });
  if (refusesSchema && format === 'json_schema') {
    throw untranslatable('response_format', 'this model answers by no schema.');
  }
  const isBound = isText(stop) || listOf(stop).length > 0;
  if (reasoningRefusesStop && isBound && model.capabilities.supports_reasoning === true) {
    throw untranslatable('stop', 'this model cannot be stopped by a text.');
  }
}
