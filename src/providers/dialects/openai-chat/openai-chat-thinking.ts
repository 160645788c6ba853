import { type NeutralBlock } from '../../../contract/neutral.js';
import { NO_BOUNDS } from '../../../json/bounds.js';
import { excess } from '../../../json/excess.js';
import { parsedObject } from '../../../json/values.js';
import { type Placed } from '../placed-blocks.js';
import { marked, provedBy } from '../proof-marks.js';

/**
 * Where a piece of thinking stood, which it has to come back to: the field's name, or the reasoning
 * detail without its text.
 */
export type Origin = 'reasoning_content' | 'reasoning' | 'content' | Detail;

/** https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks */
export interface Detail {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly [field: string]: unknown;
}

/** What proves to its issuer where a block of thinking stood. */
export function proofOf(issuer: string, origin: Origin): string {
  return marked(issuer, typeof origin === 'string' ? origin : JSON.stringify(origin));
}

/** Whether a piece goes on with the block of another. */
export function isSameThought(one: Origin | undefined, other: Origin): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.type === other.type && one.index === other.index;
}

/** What both pieces say of their block; the later one has the last word, as with signatures. */
export function joinedOrigin(one: Origin | undefined, other: Origin): Origin {
  if (typeof one !== 'object' || typeof other !== 'object') return other;
  const said = Object.entries(other).filter(([, value]) => value !== undefined && value !== null);
  return { ...one, ...Object.fromEntries(said) };
}

/** Thinking of an assistant message, in the fields in which its issuer gave it out. */
interface ReturnedThinking {
  readonly fields: {
    readonly reasoning_content?: string;
    readonly reasoning?: string;
    readonly reasoning_details?: readonly object[];
  };
  /** Parts that stand before the text. */
  readonly parts: readonly object[];
}

/**
 * The thinking that this issuer gave out; that of others is left out, because it means nothing to it.
 */
export function returnedThinking(blocks: readonly Placed[], issuer: string): ReturnedThinking {
  const texts = { reasoning_content: '', reasoning: '' };
  const details: object[] = [];
  const parts: object[] = [];
  for (const { block } of blocks) {
    const proof = provedBy(issuer, block.type === 'thinking' ? block.signature : block.data);
    if (proof === undefined) continue;
    const text = typeof block.thinking === 'string' ? block.thinking : '';
    if (proof === 'reasoning_content' || proof === 'reasoning') texts[proof] += text;
    else if (proof === 'content') {
      parts.push({ type: 'thinking', thinking: [{ type: 'text', text }] });
    } else details.push(...restoredDetail(proof, block, text));
  }
  const { reasoning_content, reasoning } = texts;
  return {
    fields: {
      ...(reasoning_content !== '' && { reasoning_content }),
      ...(reasoning !== '' && { reasoning }),
      ...(details.length > 0 && { reasoning_details: details }),
    },
    parts,
  };
}

/** A proof that somebody has tampered with, or made up, is nobody's. */
function restoredDetail(proof: string, { type }: NeutralBlock, text: string): object[] {
  const isDetail = excess(Buffer.from(proof), DETAIL_BOUNDS) === undefined;
  const detail: Detail | undefined = isDetail ? parsedObject(proof) : undefined;
  if (!detail) return [];
  if (type !== 'thinking') return [detail];
  return [{ ...detail, [detail.type === 'reasoning.summary' ? 'summary' : 'text']: text }];
}

/** A detail has a few members; in a body it is but a text, of which there may be many. */
const DETAIL_BOUNDS = { ...NO_BOUNDS, parts: 100 };
