import { type Model } from '../../../contract/model.js';
import { type NeutralBlock, type NeutralTurn } from '../../../contract/neutral.js';
import { type Edits } from '../../../json/splice.js';
import { isSameList } from '../../../json/values.js';
import { type RelayContext } from '../../provider.js';
import { ownBlock, type Reader } from './anthropic-own-blocks.js';
import { isClaude } from './anthropic-proofs.js';

/**
 * A conversation's turns as Anthropic's models take them, wherever their history was made: what only
 * its maker takes (`ownBlock`) is taken out of assistant turns, and texts that say nothing, which
 * other models begin their calls with and Claude refuses; a turn that is left empty goes with them,
 * and ids of tool calls are spelled with Anthropic's characters. Nothing else changes; undefined when
 * nothing has to.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export function anthropicHistory(
  messages: unknown,
  reader: Reader = 'claude',
): readonly NeutralTurn[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const turns = messages as readonly Given[];
  const setting = { reader, ids: respelled(turns) };
  const own = turns.flatMap((turn, at) => ownTurn(turn, at === turns.length - 1, setting));
  return isSameList(own, turns) ? undefined : (own as readonly NeutralTurn[]);
}

/** What may stand in a list of turns that nobody has checked. */
type Given = NeutralTurn | null | undefined;

interface Setting {
  readonly reader: Reader;
  /** The ids of calls that have to change, with their new spelling. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The turn as the model takes it, itself where nothing changes; none where nothing is left of it. */
function ownTurn(turn: Given, isLast: boolean, { reader, ids }: Setting): readonly Given[] {
  const blocks = blocksOf(turn);
  const isAnswer = turn?.role === 'assistant';
  // Whatever else stands there is Anthropic's to judge, an empty beginning of the answer too.
  if (!turn || blocks.length === 0) {
    return isAnswer && !isLast && reader === 'claude' && isSilent(turn.content) ? [] : [turn];
  }
  const own = isAnswer
    ? blocks.flatMap((block) => (block ? (ownBlock(block, reader) ?? []) : [block]))
    : blocks;
  const said = isAnswer && reader === 'claude' ? withoutBlanks(own) : own;
  const kept = said.map((block) => block && withIds(block, ids));
  if (isSameList(kept, blocks)) return [turn];
  return kept.length === 0 ? [] : [{ ...turn, content: kept as readonly NeutralBlock[] }];
}

/** An answer of nothing, which callers send back as they got it. */
function isSilent(content: unknown): boolean {
  return Array.isArray(content) || (typeof content === 'string' && content.trim() === '');
}

/**
 * Blocks without empty texts, and without blank ones where no other text stands beside them.
 * https://platform.claude.com/docs/en/api/errors: "text content blocks must contain non-whitespace text"
 */
export function withoutBlanks<T extends NeutralBlock | null>(blocks: readonly T[]): readonly T[] {
  const textIn = (block: T) =>
    block?.type === 'text' && typeof block.text === 'string' ? block.text : undefined;
  const isTelling = blocks.some((block) => textIn(block)?.trim());
  return blocks.filter((block) => {
    const text = textIn(block);
    return text === undefined || (isTelling ? text !== '' : text.trim() !== '');
  });
}

/** Who reads a history that goes to the model. */
export function readerOf(model: Pick<Model, 'name' | 'provider'>): Reader {
  return isClaude(model) ? 'claude' : model;
}

/** The same for a relayed body, whose turns are written anew only where something has to change. */
export function historyEdits({ body, model }: Pick<RelayContext, 'body' | 'model'>): Edits {
  const turns = anthropicHistory(body.messages, readerOf(model));
  return new Map(turns && [['messages', JSON.stringify(turns)]]);
}

/**
 * Whether the conversation stands amid tool calls whose first turn has no thinking of Anthropic's, as
 * when another model made it. Thinking by a budget is refused there: "a final `assistant` message must
 * start with a thinking block".
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#extended-thinking-with-tool-use
 */
export function isUnthought(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  const turns = (anthropicHistory(messages) ?? messages) as readonly Given[];
  const answered = turns.findLastIndex((turn) => turn?.role === 'assistant') + 1;
  if (!turns.slice(answered).some(isResult)) return false;
  const said = turns.slice(0, answered);
  const asked = said.findLastIndex((turn) => turn?.role === 'user' && !isResult(turn));
  const first = said.slice(asked + 1).find((turn) => turn?.role === 'assistant');
  const [block = null] = blocksOf(first);
  return block?.type !== 'thinking' && block?.type !== 'redacted_thinking';
}

function isResult(turn: Given): boolean {
  return turn?.role === 'user' && blocksOf(turn).some((block) => block?.type === 'tool_result');
}

/** https://docs.anthropic.com/en/api/messages#body-messages-content-id */
const ID = /^[a-zA-Z0-9_-]+$/;

/** A call's id in the characters that Anthropic takes; different ids may become the same. */
export function spelledId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}

/** Where a block names a tool call: `id` in the call, `tool_use_id` in its result. */
export function idField(block: NeutralBlock | null): 'id' | 'tool_use_id' | undefined {
  const type: unknown = block?.type;
  if (typeof type !== 'string') return undefined;
  if (type.endsWith('tool_use')) return 'id';
  return type.endsWith('tool_result') ? 'tool_use_id' : undefined;
}

/** The ids that have to change, with their new spelling, which none of the others has. */
function respelled(turns: readonly Given[]): Map<string, string> {
  const changed = new Set<string>();
  const taken = new Set<string>();
  for (const turn of turns) {
    for (const block of blocksOf(turn)) {
      const field = idField(block);
      const id = field && block?.[field];
      if (typeof id === 'string') (ID.test(id) ? taken : changed).add(id);
    }
  }
  const spellings = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const id of changed) {
    const plain = spelledId(id);
    let count = counts.get(plain) ?? 1;
    const next = (): string => (count === 1 ? plain : `${plain}_${count}`);
    while (taken.has(next())) count += 1;
    taken.add(next());
    spellings.set(id, next());
    counts.set(plain, count + 1);
  }
  return spellings;
}

function withIds(block: NeutralBlock, ids: ReadonlyMap<string, string>): NeutralBlock {
  const field = idField(block);
  const spelling = field && ids.get(block[field] as string);
  return spelling === undefined ? block : { ...block, [field as string]: spelling };
}

/** The blocks of a turn that is not plain text. */
export function blocksOf(turn: Given): readonly (NeutralBlock | null)[] {
  const content: unknown = turn?.content;
  return Array.isArray(content) ? (content as readonly NeutralBlock[]) : [];
}
