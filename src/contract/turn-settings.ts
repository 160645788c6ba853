import { membersOf } from '../json/values.js';
import { type NeutralRequest, type NeutralTurn } from './neutral.js';

/**
 * A request in which no turn of the system's sets anything, for who knows no such settings: the effort that
 * one asked for last is the request's, and what was said for the user's turn before it alone is said no more
 * behind it. The same request where none sets anything.
 * https://platform.claude.com/docs/en/build-with-claude/effort-per-message
 */
export function withoutTurnSettings(request: NeutralRequest): NeutralRequest {
  const { messages, output_config } = request;
  if (!messages.some(setsSomething)) return request;
  const effort = lastEffort(messages);
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  return {
    ...request,
    messages: messages.map((turn, index) =>
      setsSomething(turn) ? withoutSettings(turn, index < newest) : turn,
    ),
    ...(effort !== undefined && { output_config: { ...membersOf(output_config), effort } }),
  };
}

interface SettingTurn extends NeutralTurn {
  readonly output_config?: unknown;
  readonly clear_at?: unknown;
}

function setsSomething(turn: SettingTurn): boolean {
  const { role, output_config, clear_at } = turn;
  return role === 'system' && (output_config ?? clear_at ?? null) !== null;
}

/** Behind what the user says an effort is for the answer to it, elsewhere from the user's next turn on. */
function lastEffort(turns: readonly SettingTurn[]): string | undefined {
  const newest = turns.findLastIndex((turn) => turn.role === 'user' && isNewInput(turn));
  if (newest < 0) return undefined;
  const answer = turns.findIndex(({ role }, index) => index > newest && role !== 'system');
  return turns
    .slice(0, answer < 0 ? turns.length : answer)
    .filter(({ role }) => role === 'system')
    .map(({ output_config }) => membersOf(output_config).effort)
    .findLast((effort) => typeof effort === 'string');
}

/** Results of tools alone are none. */
function isNewInput({ content }: NeutralTurn): boolean {
  // A chat that is looked at before it is checked may say nothing.
  return (
    !Array.isArray(content) || content.some((block) => membersOf(block).type !== 'tool_result')
  );
}

/** Changes of tools last, whatever is said with them. A turn keeps its place, which errors name. */
function withoutSettings(
  { output_config: _config, clear_at, ...turn }: SettingTurn,
  isPast: boolean,
): NeutralTurn {
  if (!isPast || clear_at !== 'next_user_message') return turn;
  const { content } = turn;
  return {
    ...turn,
    content: Array.isArray(content)
      ? content.filter((block) => membersOf(block).type !== 'text')
      : [],
  };
}
