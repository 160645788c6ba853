import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import {
  assistantBlocks,
  resultsIn,
  runsOf,
  saidBesides,
  systemBlocks,
  type Turn,
} from '../conversation-runs.js';
import { contentParts, failureText, textPart } from '../openai-chat/openai-chat-parts.js';
import { objectOf, placed, type Placed, stringOf, untranslatable } from '../placed-blocks.js';
import { provedBy } from '../proof-marks.js';
import { wireToolName } from '../wire-names.js';

/** A message of an Ollama chat request. */
interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  /** Base64 without a type; Ollama looks at the bytes. */
  readonly images?: readonly string[];
  readonly tool_calls?: readonly object[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

/**
 * A conversation as Ollama's `messages`, whose content is one text with images beside it. Thinking
 * goes back when it is Ollama's; cache marks and citations have no counterpart.
 * https://docs.ollama.com/api/chat
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart.
 */
export function ollamaMessages(request: NeutralRequest): OllamaMessage[] {
  const names = toolNames(request);
  return [
    ...message('system', systemBlocks(request).map(saidText)),
    ...runsOf(request).flatMap((run) =>
      run[0]?.role === 'assistant' ? assistantMessage(run) : answerMessages(run, names),
    ),
  ];
}

/** The names of the tools called so far, by the ids of the calls. */
function toolNames(request: NeutralRequest): ReadonlyMap<unknown, unknown> {
  const blocks = runsOf(request).flatMap((run) => run.flatMap((turn) => turn.blocks));
  const calls = blocks.filter(({ block }) => block.type === 'tool_use');
  return new Map(calls.map(({ block }) => [block.id, block.name]));
}

function assistantMessage(run: readonly Turn[]): OllamaMessage[] {
  const { said, calls: called } = assistantBlocks(run);
  const calls = called.map(toolCall);
  const texts = said
    .filter(({ block }) => block.type === 'text')
    .map((place) => stringOf(place, 'text'));
  const thoughts = said
    .filter(({ block }) => provedBy('ollama', block.signature))
    .map((place) => stringOf(place, 'thinking'));
  if (texts.length === 0 && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: texts.join('\n'),
      ...(thoughts.length > 0 && { thinking: thoughts.join('\n') }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** The results of the calls come right behind them, before anything else. */
function answerMessages(
  run: readonly Turn[],
  names: ReadonlyMap<unknown, unknown>,
): OllamaMessage[] {
  const tools = [...resultsIn(run)].map(([id, results]): OllamaMessage => {
    const { text, images } = saidIn(results.flatMap(resultParts));
    const name = names.get(id);
    return {
      role: 'tool',
      content: text,
      ...(images.length > 0 && { images }),
      // Templates name the tool; newer versions of Ollama tell calls of one tool apart by the id.
      ...(typeof name === 'string' && { tool_name: wireToolName(name) }),
      tool_call_id: id,
    };
  });
  const rest = saidBesides(run).flatMap(({ role, blocks }) =>
    role === 'system'
      ? message('system', blocks.map(saidText))
      : message('user', blocks.flatMap(saidParts)),
  );
  return [...tools, ...rest];
}

type Said = Readonly<{ text: string }> | Readonly<{ image: string }>;

function saidText(place: Placed): Said {
  return { text: textPart(place).text };
}

function saidParts(place: Placed): Said[] {
  if (place.block.type === 'image') {
    const source = objectOf(place, 'source');
    if (source.block.type === 'base64') return [{ image: stringOf(source, 'data') }];
    throw untranslatable(`${source.at}.type`, 'must be base64: this server fetches no addresses.');
  }
  return contentParts(place).map((part) => {
    if (part.type === 'text') return { text: part.text };
    throw untranslatable(`${place.at}.source.media_type`, 'must be text for this model.');
  });
}

function resultParts(place: Placed): Said[] {
  const content = (place.block.content ?? []) as string | readonly NeutralBlock[];
  const parts = placed(content, `${place.at}.content`).flatMap((part) =>
    part.block.type === 'tool_reference'
      ? [{ text: stringOf(part, 'tool_name') }]
      : saidParts(part),
  );
  if (place.block.is_error !== true) return parts;
  const failure = { text: failureText(saidIn(parts).text) };
  return [failure, ...parts.filter((part) => 'image' in part)];
}

function saidIn(parts: readonly Said[]): { text: string; images: string[] } {
  return {
    text: parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'),
    images: parts.flatMap((part) => ('image' in part ? [part.image] : [])),
  };
}

function message(role: OllamaMessage['role'], parts: readonly Said[]): OllamaMessage[] {
  if (parts.length === 0) return [];
  const { text, images } = saidIn(parts);
  return [{ role, content: text, ...(images.length > 0 && { images }) }];
}

function toolCall(place: Placed): object {
  const name = wireToolName(stringOf(place, 'name'));
  const { block: input } = objectOf(place, 'input');
  return { id: stringOf(place, 'id'), function: { name, arguments: input } };
}
