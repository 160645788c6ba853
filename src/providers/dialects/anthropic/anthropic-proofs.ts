import { type Model } from '../../../contract/model.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { spliceInside } from '../../../json/splice.js';
import { isObject, isText, parsedObject } from '../../../json/values.js';
import { type ServerEvent } from '../../provider.js';
import { isMarked, marked, provedBy } from '../proof-marks.js';

type Served = Pick<Model, 'name' | 'provider'>;

/** Where nobody but Anthropic makes the models that speak its format, whatever they are called. */
const HOSTS = new Set(['anthropic', 'bedrock', 'vertex']);

/**
 * Whether a model that speaks Anthropic's format is a Claude: Anthropic issues its proofs; others bear marks.
 */
export function isClaude({ name, provider }: Served): boolean {
  return HOSTS.has(provider) || /claude/i.test(name);
}

/** A thinking block of an answer as its caller sees it: marked where another than Anthropic signed it. */
export function blockMarked(block: NeutralBlock, model: Served): NeutralBlock {
  const field = proofField(block);
  const proof = field && block[field];
  if (!field || !isText(proof) || isMarked(proof) || isClaude(model)) return block;
  return { ...block, [field]: marked(issuerOf(model), proof) };
}

/** The same of an event of a stream; undefined where nothing changes. */
export function eventMarked({ data }: ServerEvent, model: Served): string | undefined {
  if (isClaude(model) || !/"(?:signature|data)"\s*:\s*"[^"]/.test(data)) return undefined;
  const event = parsedObject(data) ?? {};
  for (const member of ['content_block', 'delta']) {
    const block = event[member];
    if (!isObject(block)) continue;
    const told = blockMarked(block as NeutralBlock, model);
    const field = proofField(told);
    if (told === block || !field) continue;
    const edits = new Map([[field, JSON.stringify(told[field])]]);
    const pieces = spliceInside(Buffer.from(data), member, edits);
    return pieces && Buffer.concat(pieces).toString();
  }
  return undefined;
}

/** A thinking block that the model's own provider signed, without its mark; undefined for any other. */
export function blockUnmarked(block: NeutralBlock, model: Served): NeutralBlock | undefined {
  const field = proofField(block);
  const proof = field && provedBy(issuerOf(model), block[field]);
  return proof === undefined ? undefined : { ...block, [field as string]: proof };
}

function issuerOf({ provider }: Served): string {
  return `messages-${provider}`;
}

/** Where a block of thinking, or a piece of one, has its proof. */
function proofField({ type }: NeutralBlock): 'signature' | 'data' | undefined {
  if (type === 'redacted_thinking') return 'data';
  return type === 'thinking' || type === 'signature_delta' ? 'signature' : undefined;
}
