import { type Fields, isObject, isSameList, isText, listOf } from '../../../json/values.js';
import { untranslatable } from '../placed-blocks.js';
import { refuseOtherBeginning } from '../substitute-model.js';

/**
 * The turns of a chat for a provider whose sides speak by turns: what the system says comes first, and
 * neighbours of one role are one turn. The same list where nothing changes.
 * "After the (optional) system message(s), user or tool message(s) should alternate with assistant
 * message(s)": https://github.com/perplexityai/api-discussion/issues/265
 */
export function alternatingTurns(turns: readonly unknown[]): readonly unknown[] {
  const system = turns.filter(isSystem);
  const taken: unknown[] = [];
  for (const turn of turns.filter((one) => !isSystem(one))) {
    const before = taken.at(-1);
    if (isSpeaking(before) && isSpeaking(turn) && before.role === turn.role) {
      taken.splice(-1, 1, joined(before, turn));
    } else taken.push(turn);
  }
  const ordered = [...system, ...taken];
  return isSameList(ordered, turns) ? turns : ordered;
}

/**
 * Refuses, where the caller did not name such a provider, what it does not take even so: a conversation that
 * the assistant begins, or ends ("Last message must have role `user`").
 *
 * @throws GatewayError 400: another fallback may take it.
 */
export function refuseOneSided(turns: readonly unknown[]): void {
  refuseOtherBeginning(turns);
  const last = turns.at(-1);
  if (!isSpeaking(last) || last.role !== 'assistant') return;
  throw untranslatable('messages', 'this model continues no answer.');
}

function isSystem(turn: unknown): boolean {
  return isObject(turn) && (turn.role === 'system' || turn.role === 'developer');
}

/** Results of several tools stay apart: each has its call's id. */
function isSpeaking(turn: unknown): turn is Fields {
  return isObject(turn) && (turn.role === 'user' || turn.role === 'assistant');
}

function joined(before: Fields, turn: Fields): Fields {
  const calls = [...listOf(before.tool_calls), ...listOf(turn.tool_calls)];
  const content = joinedContent(before.content, turn.content);
  return { ...before, ...turn, content, ...(calls.length > 0 && { tool_calls: calls }) };
}

function joinedContent(before: unknown, after: unknown): unknown {
  const [one, other] = [partsOf(before), partsOf(after)];
  if (one.length === 0) return after;
  if (other.length === 0) return before;
  return isText(before) && isText(after) ? `${before}\n\n${after}` : [...one, ...other];
}

function partsOf(content: unknown): readonly unknown[] {
  return isText(content) ? [{ type: 'text', text: content }] : listOf(content);
}
