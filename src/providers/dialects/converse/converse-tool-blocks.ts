import { type Model } from '../../../contract/model.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { namesClaude, namesNova, vendorOf } from './bedrock-model.js';
import { type ContentWriter } from './converse-content.js';
import { objectOf, placed, type Placed, stringOf } from '../placed-blocks.js';
import { hash, nineCharacters, wireToolName } from '../wire-names.js';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
export function callBlock(place: Placed, model: Model): object {
  return {
    toolUse: {
      toolUseId: toolUseId(stringOf(place, 'id'), model),
      name: wireToolName(stringOf(place, 'name')),
      input: objectOf(place, 'input').block,
    },
  };
}

/**
 * The answers to one call, which may come in several pieces and are one block here.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html
 */
export function resultBlock(
  places: readonly Placed[],
  model: Model,
  written: ContentWriter,
): object {
  const id = places[0] ? stringOf(places[0], 'tool_use_id') : '';
  const content = said(places.flatMap(resultBlocks).map(written));
  const isError = places.some(({ block }) => block.is_error === true);
  const toolResult = {
    toolUseId: toolUseId(id, model),
    content: content.length > 0 ? content : [NOTHING],
  };
  if (!isError) return { toolResult };
  if (knowsStatus(model)) return { toolResult: { ...toolResult, status: 'error' } };
  return { toolResult: { ...toolResult, content: toolResult.content.map(asError) } };
}

/** What a tool answered that gave nothing: most models refuse an empty result, and all do of a failure. */
const NOTHING = { text: '(no output)' };

/** A call that cannot be sent as one, in words. */
export function spokenCall(place: Placed): object {
  const { block } = objectOf(place, 'input');
  return { text: `[Called ${stringOf(place, 'name')} with ${JSON.stringify(block)}]` };
}

/** The answer to such a call: its text in words, and what else it holds. */
export function spokenResult(place: Placed, written: ContentWriter): object[] {
  const blocks = said(resultBlocks(place).map(written));
  const texts = blocks.flatMap((block) => ('text' in block ? [String(block.text)] : []));
  const outcome = place.block.is_error === true ? 'Failed' : 'Answered';
  const text = `[${outcome}: ${texts.join('\n')}]`;
  return [{ text }, ...blocks.filter((block) => !('text' in block))];
}

/** A tool search answers with the names of tools, which are all on offer already. */
function resultBlocks(place: Placed): Placed[] {
  const content = (place.block.content ?? []) as string | readonly NeutralBlock[];
  return placed(content, `${place.at}.content`).map((inner) =>
    inner.block.type === 'tool_reference'
      ? { ...inner, block: { type: 'text', text: stringOf(inner, 'tool_name') } }
      : inner,
  );
}

/** A blank text is refused and says nothing. */
function said(content: readonly object[]): object[] {
  return content.filter(
    (block) => !('text' in block && typeof block.text === 'string' && block.text.trim() === ''),
  );
}

/** Only these know `status`; the others see the failure in the text. */
function knowsStatus({ name }: Model): boolean {
  return namesClaude(name) || namesNova(name);
}

function asError(block: object): object {
  return 'text' in block ? { text: JSON.stringify({ error: block.text }) } : block;
}

/**
 * Ids as Bedrock's own models make them, among them Kimi's `functions.name:0`, go back unchanged.
 * Others are cleaned, cut to 64 characters and given a hash of the whole. Mistral's are of nine letters
 * and digits, others its models refuse: "must be a-z, A-Z, 0-9, with a length of 9".
 */
function toolUseId(id: string, { name }: Model): string {
  if (vendorOf(name) === 'mistral') return nineCharacters(id);
  if (/^[\w.:-]{1,64}$/.test(id)) return id;
  return `${id.slice(0, 56).replace(/[^\w-]/g, '_')}_${hash(id)}`;
}
