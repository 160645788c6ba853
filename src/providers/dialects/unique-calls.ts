import { type NeutralBlock, type NeutralTurn } from '../../contract/neutral.js';
import { isText } from '../../json/values.js';
import { blocksOf, idField } from './anthropic-history.js';

/**
 * Turns in which no call of a tool has the id of an earlier turn's: some models count their calls anew in
 * each answer, and Claude refuses that ("`tool_use` ids must be unique"). The later call gets an id of its
 * own, and so do the results behind it. The same list where nothing has to change.
 */
export function uniqueCalls(turns: readonly NeutralTurn[]): readonly NeutralTurn[] {
  const own = ownIds(turns);
  if (own.size === 0) return turns;
  return turns.map((turn) => {
    const blocks = blocksOf(turn);
    if (!blocks.some((block) => block && own.has(block))) return turn;
    return { ...turn, content: blocks.map((block) => named(block, own)) as NeutralBlock[] };
  });
}

function named(
  block: NeutralBlock | null,
  own: ReadonlyMap<NeutralBlock, string>,
): NeutralBlock | null {
  const field = idField(block);
  const id = block ? own.get(block) : undefined;
  return field === undefined || id === undefined
    ? block
    : ({ ...block, [field]: id } as NeutralBlock);
}

/** The calls and results that have to change, with the ids that they get. */
function ownIds(turns: readonly NeutralTurn[]): ReadonlyMap<NeutralBlock, string> {
  const own = new Map<NeutralBlock, string>();
  /** What the last call of an id is named. */
  const names = new Map<string, string>();
  const freshId = freshIds(turns);
  for (const turn of turns) {
    const called = new Set<string>();
    for (const block of blocksOf(turn)) {
      const field = idField(block);
      const id = field && block?.[field];
      if (!block || !isText(id)) continue;
      if (field === 'id' && !called.has(id)) {
        called.add(id);
        names.set(id, names.has(id) ? freshId(id) : id);
      }
      const name = names.get(id) ?? id;
      if (name !== id) own.set(block, name);
    }
  }
  return own;
}

/** Makes ids of others, which none of the turns has. */
function freshIds(turns: readonly NeutralTurn[]): (id: string) => string {
  const counts = new Map<string, number>();
  let taken: Set<unknown> | undefined;
  return (id) => {
    taken ??= new Set(turns.flatMap((turn) => blocksOf(turn).map(idOf)));
    const beginning = id.slice(0, KEPT);
    let count = counts.get(beginning) ?? 1;
    let fresh: string;
    do fresh = `${beginning}_${(count += 1)}`;
    while (taken.has(fresh));
    counts.set(beginning, count);
    return fresh;
  };
}

/** Characters of an id that leave room for a count: 64 is what all take. */
const KEPT = 56;

function idOf(block: NeutralBlock | null): unknown {
  const field = idField(block);
  return field && block?.[field];
}
