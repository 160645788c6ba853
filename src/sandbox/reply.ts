import { isObject, isText, listOf, membersOf, textOf } from '../json/values.js';
import { Refusal } from './refusal.js';
import { instanceOf } from './schema-instance.js';
import { countTokens, cutToTokens } from './tokens.js';

const USUAL_MOST_TOKENS = 16_384;
const MOST_TOKENS = 262_144;
const MOST_STOPS = 64;

/** What the model wants to say, before the caller's limits. */
export interface Draft {
  /** The answer or, when a tool is called, its arguments as JSON text. */
  readonly text: string;
  /** The name of the tool that is called. */
  readonly tool?: string;
}

/** What the caller allows; a field's name is there for the message that refuses its value. */
export interface ReplyLimits {
  /** The field that says how long the reply may be, and its value: absent, null or 1 and more. */
  readonly maxTokens: readonly [field: string, value: unknown];
  /** The field with the texts that end a reply; each is cut off with what follows it. */
  readonly stops: readonly [field: string, value: unknown];
  /** How many replies the call makes. */
  readonly choices: number;
}

/** What the model says, and why it stops there. */
export interface Reply extends Draft {
  /** `stopped`: by one of the caller's texts. `length`: by the most tokens. */
  readonly end: 'complete' | 'stopped' | 'length' | 'tool';
  readonly stopSequence: string | null;
  readonly tokens: number;
}

/**
 * The draft within the caller's limits. Without one a reply has at most 16,384 tokens, and all
 * replies to a call have at most 262,144.
 *
 * @throws Refusal 400 if a limit is out of its range.
 */
export function replyWith(draft: Draft, limits: ReplyLimits): Reply {
  const most = Math.min(
    maxTokensOf(...limits.maxTokens) ?? USUAL_MOST_TOKENS,
    Math.floor(MOST_TOKENS / limits.choices),
  );
  const stops = stopsOf(...limits.stops);
  const fitting = cutToTokens(draft.text, most);
  const stop = draft.tool === undefined ? firstStop(fitting, stops) : undefined;
  const text = fitting.slice(0, stop?.at).toWellFormed();
  const written = { ...draft, text, tokens: countTokens(text) };
  if (stop) return { ...written, end: 'stopped', stopSequence: stop.sequence };
  if (fitting.length < draft.text.length) return { ...written, end: 'length', stopSequence: null };
  const end = draft.tool === undefined ? 'complete' : 'tool';
  return { ...written, end, stopSequence: null };
}

/** The echo: the sandbox's answer to a text. */
export function echo(text: string): string {
  return text === '' ? 'You said nothing.' : `You said: ${text}`;
}

/** A call of the tool with arguments that fit its schema. */
export function toolCall(name: string, schema: unknown): Draft {
  const made = instanceOf(schema);
  return { text: JSON.stringify(membersOf(made)), tool: name };
}

/** The text of a message's content, with a mark such as `[image]` for what is no text. */
export function contentText(content: unknown): string {
  return typeof content === 'string' ? content : listOf(content).map(partText).join('\n');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return '';
  if (typeof part.text === 'string') return part.text;
  if (part.type === 'tool_result') return contentText(part.content);
  if (part.type === 'tool_use') return JSON.stringify(part.input ?? {});
  if (part.type === 'thinking') return textOf(part.thinking);
  if (part.type === 'image_url') return '[image]';
  return typeof part.type === 'string' ? `[${part.type}]` : '';
}

function maxTokensOf(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  throw new Refusal(400, `${field}: must be a whole number of at least 1.`, { param: field });
}

function stopsOf(field: string, value: unknown): readonly string[] {
  const stops = (typeof value === 'string' ? [value] : listOf(value)).filter(isText);
  if (stops.length <= MOST_STOPS) return stops;
  throw new Refusal(400, `${field}: at most ${MOST_STOPS} texts.`, { param: field });
}

function firstStop(text: string, stops: readonly string[]) {
  let first: { readonly sequence: string; readonly at: number } | undefined;
  for (const sequence of stops) {
    const at = text.indexOf(sequence);
    if (at >= 0 && (first === undefined || at < first.at)) first = { sequence, at };
  }
  return first;
}
