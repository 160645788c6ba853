import { type Model } from '../../../contract/model.js';
import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { resultsIn, runsOf, saidBesides, systemBlocks, type Turn } from '../conversation-runs.js';
import { contentParts, failureText, textPart } from '../openai-chat/openai-chat-parts.js';
import { objectOf, placed, type Placed, stringOf, unknownType } from '../placed-blocks.js';
import { reasoningItem } from './responses-reasoning.js';
import { uniqueCalls } from '../unique-calls.js';
import { shortened, wireToolName } from '../wire-names.js';

/** An item of a Responses request's `input`. */
export type InputItem = Readonly<Record<string, unknown>>;

type Part =
  | Readonly<{ type: 'input_text'; text: string }>
  | Readonly<{ type: 'input_image'; image_url: string; detail: 'auto' }>
  | Readonly<{ type: 'input_file'; filename: string; file_data: string }>
  | Readonly<{ type: 'input_file'; file_url: string }>;

/**
 * A conversation as the items of a Responses request. Reasoning goes back when OpenAI issued it;
 * cache marks and citations have no counterpart.
 * https://platform.openai.com/docs/api-reference/responses/create
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart.
 */
export function responsesInput(
  request: NeutralRequest,
  { provider }: Pick<Model, 'provider'>,
): InputItem[] {
  const messages = uniqueCalls(request.messages, callId);
  return [
    ...message('system', systemBlocks(request).map(saidText)),
    ...runsOf({ ...request, messages }).flatMap((run) =>
      run[0]?.role === 'assistant' ? assistantItems(run, provider) : answerItems(run),
    ),
  ];
}

function assistantItems(run: readonly Turn[], issuer: string): InputItem[] {
  const blocks = run.flatMap((turn) => turn.blocks);
  const items = blocks.flatMap((place) => assistantItem(place, issuer));
  // OpenAI refuses reasoning that nothing follows.
  const last = items.findLastIndex(({ type }) => type !== 'reasoning');
  return items.slice(0, last + 1);
}

function assistantItem(place: Placed, issuer: string): InputItem[] {
  switch (place.block.type) {
    case 'text': {
      const { text } = textPart(place);
      return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];
    }
    case 'tool_use': {
      const name = wireToolName(stringOf(place, 'name'));
      const { block: input } = objectOf(place, 'input');
      const call_id = stringOf(place, 'id');
      return [{ type: 'function_call', call_id, name, arguments: JSON.stringify(input) }];
    }
    case 'thinking': {
      const item = reasoningItem(place.block.signature, place.block.thinking, issuer);
      return item ? [item] : [];
    }
    case 'redacted_thinking': {
      const item = reasoningItem(place.block.data, '', issuer);
      return item ? [item] : [];
    }
    default:
      throw unknownType(place);
  }
}

/** The results of the calls come right behind them, before anything else. */
function answerItems(run: readonly Turn[]): InputItem[] {
  const results = [...resultsIn(run)].map(([id, places]) => ({
    type: 'function_call_output',
    call_id: id,
    output: contentOf(places.flatMap(resultParts)),
  }));
  const rest = saidBesides(run).flatMap(({ role, blocks }) =>
    role === 'system'
      ? message('system', blocks.map(saidText))
      : message('user', blocks.flatMap(userParts)),
  );
  return [...results, ...rest];
}

function resultParts(place: Placed): Part[] {
  const content = (place.block.content ?? []) as string | readonly NeutralBlock[];
  const parts = placed(content, `${place.at}.content`).flatMap((part) =>
    part.block.type === 'tool_reference' ? [said(stringOf(part, 'tool_name'))] : userParts(part),
  );
  if (place.block.is_error !== true) return parts;
  const text = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : [])).join('\n');
  const failure = said(failureText(text));
  return [failure, ...parts.filter(({ type }) => type !== 'input_text')];
}

function userParts(place: Placed): Part[] {
  if (place.block.type === 'document') {
    const source = objectOf(place, 'source');
    if (source.block.type === 'url') {
      return [{ type: 'input_file', file_url: stringOf(source, 'url') }];
    }
  }
  return contentParts(place).map((part): Part => {
    switch (part.type) {
      case 'text':
        return said(part.text);
      case 'image_url':
        return { type: 'input_image', image_url: part.image_url.url, detail: 'auto' };
      case 'file':
        return { type: 'input_file', ...part.file };
    }
  });
}

function message(role: 'system' | 'user', parts: readonly Part[]): InputItem[] {
  return parts.length === 0 ? [] : [{ type: 'message', role, content: contentOf(parts) }];
}

/** A plain string where it can be one. */
function contentOf(parts: readonly Part[]): string | readonly Part[] {
  const [only] = parts;
  if (!only) return '';
  return parts.length === 1 && only.type === 'input_text' ? only.text : parts;
}

function saidText(place: Placed): Part {
  return said(textPart(place).text);
}

function said(text: string): Part {
  return { type: 'input_text', text };
}

/** A call's id as Responses take it, in 1 to 64 characters: others' calls may have more, or none. */
export function callId(id: string): string {
  return shortened(id, 64) || 'call';
}
