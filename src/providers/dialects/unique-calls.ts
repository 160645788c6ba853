import { type NeutralBlock, type NeutralTurn } from '../../contract/neutral.js';
import { isSameList } from '../../json/values.js';
import { blocksOf, idField } from './anthropic/anthropic-history.js';
import { CallNames } from './call-names.js';

/**
 * Turns in which no two calls of a tool have one id, and all ids are spelled as the provider takes them: some
 * models count their calls anew in each answer or call all by the name of the function, and Claude refuses
 * that ("`tool_use` ids must be unique"). The later call gets an id of its own, and so do the results behind
 * it. What comes first never changes with what follows. The same list where nothing has to change.
 *
 * @param spelled an id as the provider takes it.
 * @param isLeftOut blocks of the assistant's that will not be sent, and whose ids stay as they tell why.
 */
export function uniqueCalls(
  turns: readonly NeutralTurn[],
  spelled: (id: string) => string,
  isLeftOut: (block: NeutralBlock) => boolean = () => false,
): readonly NeutralTurn[] {
  const names = new CallNames(spelled);
  const own = turns.map((turn) => {
    const isAssistant = turn.role === 'assistant';
    names.speaker(isAssistant);
    const blocks = blocksOf(turn);
    const content = blocks.map((block) =>
      block && !(isAssistant && idField(block) && isLeftOut(block)) ? named(block, names) : block,
    );
    return isSameList(content, blocks) ? turn : { ...turn, content: content as NeutralBlock[] };
  });
  return isSameList(own, turns) ? turns : own;
}

function named(block: NeutralBlock, names: CallNames): NeutralBlock {
  const field = idField(block);
  const id = field && block[field];
  if (field === undefined || typeof id !== 'string') return block;
  const name = field === 'id' ? names.ofCall(id) : names.ofResult(id);
  return name === id ? block : { ...block, [field]: name };
}
