import { type Ability, isUnable } from '../contract/ability.js';
import { noteAttachments } from '../contract/attachments.js';
import { choiceMode } from '../contract/tools.js';
import { type Fields, isText, listOf, membersOf, textOf } from '../json/values.js';
import { THINKING_FIELDS } from '../providers/dialects/openai-chat/openai-chat-quirks.js';
import { untranslatable } from '../providers/dialects/placed-blocks.js';
import { isSubstitute } from '../providers/dialects/substitute-model.js';
import { type Target } from '../providers/provider.js';
import { estimateTexts } from '../tokens/estimate.js';
import { type Call } from './call.js';

/**
 * Refuses what a model that the caller did not name is known not to take: pictures, documents, tools, one
 * that it has to call, or far more text than it reads. The one that was named judges for itself what it is asked.
 *
 * @throws GatewayError 400 that says what it is: another fallback may take it.
 */
export function refuseLacked({ requestedModel, body }: Call, { model, connection }: Target): void {
  if (!isSubstitute(requestedModel, model)) return;
  const fields = body.value as Fields;
  const at = fields.input === undefined ? 'messages' : 'input';
  const needs = new Set<Ability>();
  noteAttachments([fields.system, ...listOf(fields[at]).map(shown)], needs);
  if (needs.has('image_input') && isUnable(model, 'image_input')) {
    throw untranslatable(at, 'this model takes no images.');
  }
  const { readsDocuments = false } = connection.provider;
  if (needs.has('document_input') && !readsDocuments && isUnable(model, 'document_input')) {
    throw untranslatable(at, 'this model takes no documents.');
  }
  if (offersTools(fields) && isUnable(model, 'tools')) {
    throw untranslatable('tools', 'this model calls no tools.');
  }
  if (forcesTool(fields) && isUnable(model, 'tool_choice')) {
    throw untranslatable('tool_choice', 'this model cannot be made to call a tool.');
  }
  const { contextLength } = model;
  // Shorter than that in bytes it fits, whatever it says: then nothing is counted.
  if (contextLength === undefined || body.bytes.length <= contextLength) return;
  const most = SURELY * contextLength;
  if (estimateTexts(fields) <= most) return;
  const turns = fields[at];
  const read = Array.isArray(turns) ? turns.flatMap(withoutThoughts) : turns;
  const tokens = estimateTexts({ ...fields, [at]: read });
  if (tokens > most) {
    const found = `about ${tokens} tokens are more than the ${contextLength} that this model reads.`;
    throw untranslatable(at, found);
  }
}

/** Our count may be that many times too high, for which no model is to be passed over. */
const SURELY = 2;

/** What a turn or an item shows; not what an assistant has drawn, which is left out on the way. */
function shown(turn: unknown): unknown {
  const { role, type, content } = membersOf(turn);
  if (type === 'image_generation_call') return undefined;
  return isText(role) ? content : turn;
}

/** A turn or an item without what another maker's model has thought, which is left out on the way. */
function withoutThoughts(turn: unknown): readonly unknown[] {
  const { content, ...fields } = membersOf(turn);
  if (fields.type === 'reasoning') return [];
  const kept = Object.entries(fields).filter(([name]) => !THOUGHTS.has(name));
  const isThought = (block: unknown) => /thinking$/.test(textOf(membersOf(block).type));
  const said = Array.isArray(content) ? content.filter((block) => !isThought(block)) : content;
  return [{ ...Object.fromEntries(kept), content: said }];
}

const THOUGHTS: ReadonlySet<string> = new Set(THINKING_FIELDS);

/** Whether the model may call a tool of the caller's; those that run at a provider have no name. */
function offersTools(fields: Fields): boolean {
  const { tools, functions } = fields;
  if (chosenMode(fields) === 'none') return false;
  return [...listOf(tools), ...listOf(functions)].some((tool) => {
    const { name, function: called } = membersOf(tool);
    return isText(name) || isText(membersOf(called).name);
  });
}

/** Whether it has to call one. */
function forcesTool(fields: Fields): boolean {
  return chosenMode(fields) !== 'auto' && offersTools(fields);
}

function chosenMode({ tool_choice: choice, function_call: call }: Fields): unknown {
  return choiceMode(choice ?? call);
}
