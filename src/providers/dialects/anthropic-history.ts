import { type NeutralBlock, type NeutralTurn } from '../../contract/neutral.js';
import { type Edits } from '../../json/splice.js';
import { type RelayContext } from '../provider.js';
import { isAnthropics } from './proof-marks.js';

/**
 * A conversation's turns as Anthropic's models take them, wherever their history was made: thinking
 * that another issued, or nobody signed, is taken out of assistant turns, a turn that is left empty
 * goes with it, and ids of tool calls are spelled with Anthropic's characters. Nothing else changes;
 * undefined when nothing has to. A model that is no Claude but speaks Anthropic's format may sign
 * nothing and want its thinking back, so `unsigned` thinking can be kept.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export function anthropicHistory(
  messages: unknown,
  { unsigned }: { readonly unsigned: 'left out' | 'kept' } = { unsigned: 'left out' },
): readonly NeutralTurn[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const turns = messages as readonly (NeutralTurn | null | undefined)[];
  const ids = respelled(turns);
  const isForeign = (turn: NeutralTurn | null | undefined, block: NeutralBlock | null): boolean =>
    isForeignThinking(turn, block) && !(unsigned === 'kept' && isUnsigned(block));
  const isTouched = turns.some((turn) => blocksOf(turn).some((block) => isForeign(turn, block)));
  if (ids.size === 0 && !isTouched) return undefined;
  return turns.flatMap((turn) => {
    const blocks = blocksOf(turn);
    // Whatever else stands there is Anthropic's to judge.
    if (!turn || blocks.length === 0) return [turn as NeutralTurn];
    const kept = blocks.filter((block) => !isForeign(turn, block));
    if (kept.length === 0) return [];
    return [
      {
        ...turn,
        content: kept.map((block) => block && withIds(block, ids)) as readonly NeutralBlock[],
      },
    ];
  });
}

/** Which thinking a model takes that nobody signed: only Claude is known to sign all of its own. */
export function unsignedThinking(modelName: string): { readonly unsigned: 'left out' | 'kept' } {
  return { unsigned: /claude/i.test(modelName) ? 'left out' : 'kept' };
}

/** The same for a relayed body, whose turns are written anew only where something has to change. */
export function historyEdits({ body, model }: Pick<RelayContext, 'body' | 'model'>): Edits {
  const turns = anthropicHistory(body.messages, unsignedThinking(model.name));
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
  const turns = messages as readonly (NeutralTurn | null | undefined)[];
  if (!isResult(turns.at(-1))) return false;
  const asked = turns.findLastIndex((turn) => turn?.role === 'user' && !isResult(turn));
  const first = turns.slice(asked + 1).find((turn) => turn?.role === 'assistant');
  const [block = null] = blocksOf(first);
  const isThinking = block?.type === 'thinking' || block?.type === 'redacted_thinking';
  return !isThinking || isForeignThinking(first, block);
}

function isResult(turn: NeutralTurn | null | undefined): boolean {
  return turn?.role === 'user' && blocksOf(turn).some((block) => block?.type === 'tool_result');
}

/** https://docs.anthropic.com/en/api/messages#body-messages-content-id */
const ID = /^[a-zA-Z0-9_-]+$/;

function isForeignThinking(
  turn: NeutralTurn | null | undefined,
  block: NeutralBlock | null,
): boolean {
  if (turn?.role !== 'assistant') return false;
  if (block?.type === 'thinking') return !isAnthropics(block.signature);
  return block?.type === 'redacted_thinking' && !isAnthropics(block.data);
}

function isUnsigned(block: NeutralBlock | null): boolean {
  return block?.type === 'thinking' && !block.signature;
}

/** Where a block names a tool call: `id` in the call, `tool_use_id` in its result. */
function idField(block: NeutralBlock | null): 'id' | 'tool_use_id' | undefined {
  const type: unknown = block?.type;
  if (typeof type !== 'string') return undefined;
  if (type.endsWith('tool_use')) return 'id';
  return type.endsWith('tool_result') ? 'tool_use_id' : undefined;
}

/** The ids that have to change, with their new spelling, which none of the others has. */
function respelled(turns: readonly (NeutralTurn | null | undefined)[]): Map<string, string> {
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
    const plain = id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
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

function blocksOf(turn: NeutralTurn | null | undefined): readonly (NeutralBlock | null)[] {
  const content: unknown = turn?.content;
  return Array.isArray(content) ? (content as readonly NeutralBlock[]) : [];
}
