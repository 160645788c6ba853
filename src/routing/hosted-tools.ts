import { isHosted } from '../contract/hosted-tool.js';
import { type Fields, listOf, membersOf } from '../json/values.js';
import { type Candidates } from './available-models.js';
import { type Choice, type Need } from './choice.js';
import { relayedAlone } from './relayed-alone.js';

/**
 * Leaves out, of the candidates for a response that cannot do without OpenAI's own tools, those that
 * it would be translated for: they would answer without.
 */
export function runningHosted(candidates: Candidates, need: Need, choice: Choice): Candidates {
  const { format } = need;
  if (format !== 'responses' || !wantsHosted(choice as Choice & Fields)) return candidates;
  return relayedAlone(candidates, { format, choice }, 'hosted_tools');
}

/**
 * Agents offer OpenAI's tools to every model beside their own, which is no need of them. One is there
 * where nothing else may be called, or where one of them is to be.
 */
function wantsHosted({ tools, input, tool_choice: choice }: Fields): boolean {
  const { type, tools: allowed } = membersOf(choice);
  if (choice === 'none' || membersOf(choice).mode === 'none') return false;
  if (type === 'allowed_tools') return areHosted(allowed);
  if (isWanted(choice)) return true;
  return areHosted(tools) && !listOf(input).some(offersMore);
}

function areHosted(tools: unknown): boolean {
  const offered = listOf(tools);
  return offered.length > 0 && offered.every(isWanted);
}

/** A search for tools finds others alone, and a choice does not say who makes it. */
function isWanted(tool: unknown): boolean {
  const fields = membersOf(tool);
  return fields.type !== 'tool_search' && isHosted(fields);
}

function offersMore(item: unknown): boolean {
  const { type } = membersOf(item);
  return type === 'additional_tools' || type === 'tool_search_output';
}
