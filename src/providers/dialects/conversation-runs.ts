import { type NeutralRequest, type NeutralTurn } from '../../contract/neutral.js';
import { placed, type Placed, stringOf, unknownType } from './placed-blocks.js';
import { isToolChange, isToolSearch } from './tools-on-offer.js';
import { uniqueCalls } from './unique-calls.js';

/** A turn and where its blocks stand in the request. */
export interface Turn {
  readonly role: NeutralTurn['role'];
  readonly blocks: readonly Placed[];
}

/** The system prompt's blocks. */
export function systemBlocks({ system }: NeutralRequest): Placed[] {
  return placed(system ?? [], 'system');
}

/**
 * Neighbours of one side belong together: what the assistant said, and all that answers it. No two calls have
 * one id: results are put together by it. Searches for tools are left out, as all tools are on offer.
 */
export function runsOf({ messages }: NeutralRequest): Turn[][] {
  const all: Turn[][] = [];
  uniqueCalls(messages, asItIs).forEach(({ role, content }, index) => {
    const blocks = placed(content, `messages[${index}].content`);
    const turn = { role, blocks: blocks.filter(({ block }) => !isToolSearch(block)) };
    const last = all.at(-1);
    const isSameSide = (last?.[0]?.role === 'assistant') === (role === 'assistant');
    if (last && isSameSide) last.push(turn);
    else all.push([turn]);
  });
  return all;
}

/** Each provider has a spelling of its own, for later. */
const asItIs = (id: string): string => id;

/**
 * What the assistant said or thought in a run, in its order, and the tools that it called.
 *
 * @throws GatewayError 400 for a block that an assistant of these formats has no words for.
 */
export function assistantBlocks(run: readonly Turn[]): { said: Placed[]; calls: Placed[] } {
  const blocks = run.flatMap((turn) => turn.blocks);
  const unknown = blocks.find(({ block }) => !ASSISTANT_TYPES.has(block.type));
  if (unknown) throw unknownType(unknown);
  return {
    said: blocks.filter(({ block }) => block.type !== 'tool_use'),
    calls: blocks.filter(({ block }) => block.type === 'tool_use'),
  };
}

const ASSISTANT_TYPES = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);

/**
 * The results in a run of answers, by the id of the call; a call may be answered in several pieces.
 *
 * @throws GatewayError 400 when one names no call.
 */
export function resultsIn(run: readonly Turn[]): ReadonlyMap<string, readonly Placed[]> {
  const results = run.flatMap(({ blocks }) => blocks).filter(isResult);
  return Map.groupBy(results, (place) => stringOf(place, 'tool_use_id'));
}

/** What else is said in a run of answers; changes of the tools on offer are made in `tools`. */
export function saidBesides(run: readonly Turn[]): Turn[] {
  return run
    .map(({ role, blocks }) => ({
      role,
      blocks: blocks.filter(
        (place) => !isResult(place) && !(role === 'system' && isToolChange(place.block)),
      ),
    }))
    .filter(({ blocks }) => blocks.length > 0);
}

function isResult({ block }: Placed): boolean {
  return block.type === 'tool_result';
}
