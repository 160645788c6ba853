import { type CallContext } from '../../provider.js';
import { cachePoint } from './converse-cache.js';
import { type ContentWriter, contentWriter } from './converse-content.js';
import { reasoningBlock } from './converse-reasoning.js';
import { callBlock, resultBlock, spokenCall, spokenResult } from './converse-tool-blocks.js';
import { resultsIn, runsOf, saidBesides, systemBlocks, type Turn } from '../conversation-runs.js';
import { textPart } from '../openai-chat/openai-chat-parts.js';
import { type Placed, unknownType, untranslatable } from '../placed-blocks.js';
import { isSubstitute, refuseOtherBeginning } from '../substitute-model.js';

/** A message of a Converse request; its blocks are unions, named by their one member. */
interface ConverseMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly object[];
}

/**
 * A conversation as Converse takes it: roles alternate, all answers to tool calls first in the turn
 * behind them. It has no system turns, so what one says is added to the system prompt. Where no tool
 * is on offer Converse refuses the calls of earlier turns, which are told in words then.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart, and where the caller
 * did not name the model for more documents than it takes and an assistant who speaks first.
 */
export function converseMessages(
  call: CallContext<'messages'>,
  hasTools: boolean,
): { messages: ConverseMessage[]; system?: object[] } {
  const { request, model } = call;
  const runs = runsOf(request);
  const written = contentWriter(model);
  const system = [...systemBlocks(request), ...runs.flat().flatMap(systemTurn)].flatMap((place) => [
    ...textBlock(place),
    ...cachePoint(model, place.block.cache_control),
  ]);
  const messages = runs.map((run): ConverseMessage => {
    const setting = { call, hasTools, written };
    return run[0]?.role === 'assistant'
      ? { role: 'assistant', content: assistantContent(run, setting) }
      : { role: 'user', content: userContent(run, setting) };
  });
  const said = joined(messages).map(withText);
  refuseMoreDocuments(said, call);
  if (isSubstitute(request.model, model)) refuseOtherBeginning(said);
  return { messages: said, ...(system.length > 0 && { system }) };
}

interface Setting {
  readonly call: CallContext<'messages'>;
  readonly hasTools: boolean;
  readonly written: ContentWriter;
}

/** What a system turn says; changes of the tools on offer are made in `tools`. */
function systemTurn(turn: Turn): readonly Placed[] {
  return turn.role === 'system' ? saidBesides([turn]).flatMap(({ blocks }) => blocks) : [];
}

/** A blank text is refused and says nothing. */
function textBlock(place: Placed): object[] {
  const { text } = textPart(place);
  return text.trim() === '' ? [] : [{ text }];
}

function assistantContent(run: readonly Turn[], { call, hasTools }: Setting): object[] {
  return run
    .flatMap(({ blocks }) => blocks)
    .flatMap((place) => {
      const written = assistantBlock(place, call, hasTools);
      return written.length === 0 ? [] : [...written, ...marked(place, call)];
    });
}

function assistantBlock(
  place: Placed,
  { model }: CallContext<'messages'>,
  hasTools: boolean,
): object[] {
  switch (place.block.type) {
    case 'text':
      return textBlock(place);
    case 'tool_use':
      return [hasTools ? callBlock(place, model) : spokenCall(place)];
    case 'thinking':
    case 'redacted_thinking':
      return reasoningBlock(place, model);
    default:
      throw unknownType(place);
  }
}

function userContent(run: readonly Turn[], { call, hasTools, written }: Setting): object[] {
  const results = [...resultsIn(run).values()].flatMap((places) => {
    const marks = places.flatMap((place) => marked(place, call)).slice(0, 1);
    return hasTools
      ? [resultBlock(places, call.model, written), ...marks]
      : places.flatMap((place) => spokenResult(place, written));
  });
  const said = saidBesides(run)
    .filter(({ role }) => role !== 'system')
    .flatMap(({ blocks }) => blocks)
    .flatMap((place) => {
      const blocks = place.block.type === 'text' ? textBlock(place) : [written(place)];
      return blocks.length === 0 ? [] : [...blocks, ...marked(place, call)];
    });
  return [...results, ...said];
}

function marked({ block }: Placed, { model }: CallContext<'messages'>): object[] {
  return cachePoint(model, block.cache_control);
}

/** Without messages that have become empty, and with neighbours of one role in one. */
function joined(messages: readonly ConverseMessage[]): ConverseMessage[] {
  const all: { role: ConverseMessage['role']; content: object[] }[] = [];
  for (const { role, content } of messages) {
    if (content.length === 0) continue;
    const last = all.at(-1);
    if (last?.role === role) for (const block of content) last.content.push(block);
    else all.push({ role, content: [...content] });
  }
  return all;
}

/**
 * With a text beside documents, which AWS demands.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
function withText(message: ConverseMessage): ConverseMessage {
  const { content } = message;
  const isSilent = content.some(isDocument) && !content.some((block) => 'text' in block);
  return isSilent ? { ...message, content: [...content, { text: '(documents)' }] } : message;
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/inference-api-restrictions.html */
const MOST_DOCUMENTS = 5;

function refuseMoreDocuments(
  messages: readonly ConverseMessage[],
  { request, model }: CallContext<'messages'>,
): void {
  if (!isSubstitute(request.model, model)) return;
  if (messages.flatMap(({ content }) => content).filter(isDocument).length <= MOST_DOCUMENTS)
    return;
  throw untranslatable('messages', `Bedrock takes ${MOST_DOCUMENTS} documents at most.`);
}

function isDocument(block: object): boolean {
  return 'document' in block;
}
