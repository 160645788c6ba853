import { type NeutralBlock, type NeutralTurn } from '../../../contract/neutral.js';
import { isText } from '../../../json/values.js';
import { claudeOf } from './claude-model.js';
import { untranslatable } from '../placed-blocks.js';
import { isToolChange } from '../tools-on-offer.js';

/** The first version that takes system turns: 4.8. */
const SYSTEM_TURNS_SINCE = 408;

/** Whether a model takes system turns amid a conversation, and with them changes to its tools. */
export function takesSystemTurns(modelName: string): boolean {
  return (claudeOf(modelName)?.version ?? 0) >= SYSTEM_TURNS_SINCE;
}

/** The first version that continues no answer whose beginning it is given: 4.6. */
const NO_PREFILL_SINCE = 406;

/**
 * Refuses turns of the assistant's that no Claude takes: one with a picture or a document, which other makers'
 * models draw, and for the newer ones an answer to continue.
 * https://docs.anthropic.com/en/docs/build-with-claude/vision,
 * https://platform.claude.com/docs/en/build-with-claude/prefill-claudes-response
 *
 * @throws GatewayError 400 naming the place: a fallback may take it.
 */
export function refuseAnswers(messages: readonly NeutralTurn[], modelName: string): void {
  const claude = claudeOf(modelName);
  if (!claude) return;
  messages.forEach(({ role, content }, turn) => {
    const shown = role === 'assistant' ? blocks(content).findIndex(isShown) : -1;
    if (shown < 0) return;
    throw untranslatable(`messages[${turn}].content[${shown}]`, 'was shown by the assistant.');
  });
  if (claude.version < NO_PREFILL_SINCE) return;
  const last = messages.at(-1);
  const isBegun = last?.role === 'assistant' && blocks(last.content).at(-1)?.type === 'text';
  if (!isBegun) return;
  const at = `messages[${messages.length - 1}]`;
  throw untranslatable(at, 'this model continues no answer of the assistant.');
}

/**
 * The turns of a conversation by Anthropic's rules. A system turn stays one where the model takes it,
 * behind a user's turn and before an assistant's or at the end; elsewhere its text is the user's, in
 * its place, without the changes to tools that it makes. Several results of one call make one. The
 * same list where nothing changes.
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
export function anthropicTurns(
  messages: readonly NeutralTurn[],
  modelName: string,
): readonly NeutralTurn[] {
  const takesSystem = takesSystemTurns(modelName);
  const isPlain = messages.every(({ role, content }) => role !== 'system' && !hasTwins(content));
  if (isPlain) return messages;
  const runs: Run[] = [];
  messages.forEach((turn, index) => {
    const stays =
      takesSystem &&
      turn.content.length > 0 &&
      runs.at(-1)?.[0].role === 'user' &&
      (messages[index + 1]?.role ?? 'assistant') === 'assistant';
    if (turn.role !== 'system' || stays) add(runs, turn);
    else addText(runs, turn);
  });
  return runs.map(joined).map((turn) => ({ ...turn, content: withoutTwins(turn.content) }));
}

/** Neighbours of one role, which make one turn. */
type Run = [NeutralTurn, ...NeutralTurn[]];

/** What a system turn says, as the user's; nothing of one that only changes tools. */
function addText(runs: Run[], { content }: NeutralTurn): void {
  const said = blocks(content).filter((block) => !isToolChange(block));
  if (said.length > 0) add(runs, { role: 'user', content: said });
}

function add(runs: Run[], turn: NeutralTurn): void {
  const last = runs.at(-1);
  if (last?.[0].role === turn.role) last.push(turn);
  else runs.push([turn]);
}

/** Anthropic wants the results of calls first in a turn. */
function joined(run: Run): NeutralTurn {
  const [first] = run;
  if (run.length === 1) return first;
  const all = run.flatMap(({ content }) => blocks(content));
  const content = [...all.filter(isResult), ...all.filter((block) => !isResult(block))];
  return { ...first, content };
}

function hasTwins(content: NeutralTurn['content']): boolean {
  const ids = blocks(content)
    .filter(isResult)
    .map((block) => block.tool_use_id);
  return new Set(ids).size < ids.length;
}

function withoutTwins(content: NeutralTurn['content']): NeutralTurn['content'] {
  if (!hasTwins(content)) return content;
  const twins = Map.groupBy(blocks(content), (block) =>
    isResult(block) ? block.tool_use_id : Symbol('alone'),
  );
  return [...twins.values()].flatMap(asOne);
}

function asOne(twins: readonly NeutralBlock[]): readonly NeutralBlock[] {
  const [first] = twins;
  if (!first || twins.length === 1) return twins;
  return [
    {
      ...first,
      ...(twins.some(({ is_error: isError }) => isError === true) && { is_error: true }),
      content: twins.flatMap((twin) => blocks(twin.content)),
    },
  ];
}

function isResult(block: NeutralBlock): boolean {
  return block.type === 'tool_result';
}

/** Content may be a text alone. */
function isShown(block: NeutralBlock | null): boolean {
  return block?.type === 'image' || block?.type === 'document';
}

function blocks(content: unknown): readonly NeutralBlock[] {
  if (Array.isArray(content)) return content as readonly NeutralBlock[];
  return isText(content) ? [{ type: 'text', text: content }] : [];
}
