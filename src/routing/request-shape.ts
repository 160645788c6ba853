import { type Ability } from '../contract/ability.js';
import { mostOutputAsked } from '../contract/asked-output.js';
import { noteAttachments } from '../contract/attachments.js';
import { choiceMode } from '../contract/tools.js';
import { type Fields, listOf, membersOf, textOf } from '../json/values.js';
import { estimatePrompt } from '../tokens/estimate.js';
import { classify, glimpse, type TaskClass } from './task-class.js';

/** What a request needs of a model, read from its body in any of the callers' formats. */
export interface RequestShape {
  /** Our count, rather too high. */
  readonly inputTokens: number;
  /** The longest answer that was asked for; undefined where the model's own limit holds. */
  readonly mostOutput: number | undefined;
  readonly needs: ReadonlySet<Ability>;
  readonly task: TaskClass;
  /** Whether the user's first words have been answered. */
  readonly goesOn: boolean;
  /** Characters of what the user said last. */
  readonly questionLength: number;
  /** The beginning of the conversation, which stays the same while it goes on. */
  readonly opening: readonly unknown[];
}

/** Reads a body of messages, chat or responses that has passed its checks; it is never refused. */
export function shapeOf(body: object): RequestShape {
  const fields = body as Fields;
  const turns = turnsOf(fields);
  const needs = new Set<Ability>();
  for (const turn of turns) {
    noteAttachments(turn, needs);
    if (isOfTools(turn)) needs.add('tools');
    if (isSpoken(turn)) needs.add('audio_input');
  }
  noteAttachments(fields.system, needs);
  const offersTools = noteTools(fields, needs);
  if (wantsSchema(fields)) needs.add('structured_output');
  if (wantsThinking(fields)) needs.add('thinking');
  noteOutput(fields, needs);
  const users = turns.filter(isOfUser);
  const question = questionIn(users);
  return {
    inputTokens: estimatePrompt(body),
    mostOutput: mostOutputAsked(body),
    needs,
    task: classify({ offersTools, text: glimpse(question) }),
    questionLength: question.length,
    goesOn: users[0] !== undefined && turns.slice(turns.indexOf(users[0])).some(isAnswer),
    opening: [
      fields.system ?? fields.instructions ?? turns.find((turn) => isSystem(membersOf(turn).role)),
      users[0],
    ],
  };
}

/** The turns of the conversation, or the only one. */
function turnsOf({ messages, input }: Fields): readonly unknown[] {
  if (Array.isArray(messages)) return messages;
  if (Array.isArray(input)) return input;
  return typeof input === 'string' ? [{ role: 'user', content: input }] : [];
}

/** Items of responses that are no messages have no role either. */
function isOfUser(turn: unknown): boolean {
  const { role, type, content } = membersOf(turn);
  if (role !== undefined && role !== null) return role === 'user';
  return content !== undefined && (type === undefined || type === 'message');
}

/** Also an item of responses, such as a call of a tool. */
function isAnswer(turn: unknown): boolean {
  return !isOfUser(turn) && !isSystem(membersOf(turn).role);
}

function isSystem(role: unknown): boolean {
  return role === 'system' || role === 'developer';
}

/** Notes what tools need; whether the model may call one. */
function noteTools(
  { tools, functions, tool_choice: choice, function_call: call }: Fields,
  needs: Set<Ability>,
): boolean {
  if (listOf(tools).length + listOf(functions).length === 0) return false;
  const mode = choiceMode(choice ?? call);
  needs.add('tools');
  if (mode !== 'auto' && mode !== 'none') needs.add('tool_choice');
  return mode !== 'none';
}

/** Calls and results in a chat's history; only who knows tools can read them. */
function isOfTools(turn: unknown): boolean {
  const { role, tool_calls: calls, function_call: call } = membersOf(turn);
  return (
    role === 'tool' ||
    role === 'function' ||
    listOf(calls).length > 0 ||
    (typeof call === 'object' && call !== null)
  );
}

/** What an assistant has said aloud comes back by its id, without the words. */
function isSpoken(turn: unknown): boolean {
  const { role, audio } = membersOf(turn);
  return role === 'assistant' && typeof audio === 'object' && audio !== null;
}

/** What the answer is to be beside text. Some models leave a wish that they do not know unsaid. */
function noteOutput({ modalities, web_search_options: search }: Fields, needs: Set<Ability>): void {
  const asked = listOf(modalities);
  if (asked.includes('image')) needs.add('image_output');
  if (asked.includes('audio')) needs.add('audio_output');
  if (typeof search === 'object' && search !== null) needs.add('web_search');
}

function wantsSchema({ response_format, text, output_config, output_format }: Fields): boolean {
  const formats = [
    response_format,
    membersOf(text).format,
    membersOf(output_config).format,
    output_format,
  ];
  return formats.some((format) => membersOf(format).type === 'json_schema');
}

function wantsThinking({ thinking, reasoning, reasoning_effort: effort }: Fields): boolean {
  const mode = membersOf(thinking).type;
  if (mode !== undefined) return mode === 'enabled' || mode === 'adaptive';
  if (typeof effort === 'string') return effort !== 'none';
  const { effort: level, max_tokens: budget, enabled } = membersOf(reasoning);
  if (level === 'none' || enabled === false) return false;
  return typeof level === 'string' || typeof budget === 'number' || enabled === true;
}

/** What the user said last. */
function questionIn(users: readonly unknown[]): string {
  for (let index = users.length - 1; index >= 0; index -= 1) {
    const text = wordsOf(users[index]);
    if (text !== '') return text;
  }
  return '';
}

/** The text of a turn as far as it can matter, of a long one the beginning and the end. */
function wordsOf(turn: unknown): string {
  const { content } = membersOf(turn);
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const first = textIn(content.find(hasText));
  const last = textIn(content.findLast(hasText));
  return first === last ? first : `${glimpse(first)}\n${glimpse(last)}`;
}

function hasText(block: unknown): boolean {
  return textIn(block) !== '';
}

function textIn(block: unknown): string {
  return textOf(membersOf(block).text);
}
