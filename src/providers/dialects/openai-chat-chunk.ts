import { type Member, scanArray, scanObject } from '../../json/scan.js';
import { type Members } from '../../json/splice.js';
import { textBytes } from '../../json/text-bytes.js';

/** A chunk of a stream, in which it is known where things stand; it is not parsed. */
export interface Chunk {
  readonly text: Buffer;
  readonly members: Members;
  readonly choices: readonly ChunkChoice[];
}

/** What a chunk adds to one of the answers. */
interface ChunkChoice {
  /** Which of several answers, as it is written. */
  readonly index: string;
  readonly outputBytes: number;
  readonly isFinished: boolean;
  /** Moonshot tells it here. */
  readonly hasUsage: boolean;
  /** OpenRouter tells here what its own upstream said, Mistral only that it failed. */
  readonly hasError: boolean;
}

/** Undefined for what is no JSON object. */
export function chunkIn(data: string): Chunk | undefined {
  const text = Buffer.from(data);
  const members = scanObject(text);
  if (!members) return undefined;
  const choices = there(text, members, 'choices');
  const elements = choices && scanArray(text, choices.valueStart);
  return { text, members, choices: (elements ?? []).map(({ start }) => choiceAt(text, start)) };
}

/** The text of a chunk's member that is there and not null. */
export function memberText({ text, members }: Chunk, key: string): string | undefined {
  const member = there(text, members, key);
  return member && text.toString('utf8', member.valueStart, member.end);
}

function choiceAt(text: Buffer, start: number): ChunkChoice {
  const members = scanObject(text, start) ?? [];
  const [index, delta, finish, usage, error] = [
    'index',
    'delta',
    'finish_reason',
    'usage',
    'error',
  ].map((key) => there(text, members, key));
  const reason = finish && text.toString('latin1', finish.valueStart, finish.end);
  return {
    index: index ? text.toString('latin1', index.valueStart, index.end) : '0',
    // Perplexity repeats the whole text in a `message` beside it.
    outputBytes: delta ? saidIn(text, delta) : 0,
    // Some send an empty reason until there is one.
    isFinished: reason !== undefined && reason !== '""',
    hasUsage: usage !== undefined,
    hasError: error !== undefined || reason === '"error"',
  };
}

/** How much a delta says, whatever it calls that; of two names for the thinking one is a copy. */
function saidIn(text: Buffer, delta: Member): number {
  const members = scanObject(text, delta.valueStart) ?? [];
  const said = (key: string): number => {
    const member = there(text, members, key);
    return member ? textBytesOf(text.toString('utf8', member.valueStart, member.end)) : 0;
  };
  const thought = Math.max(said('reasoning_content'), said('reasoning'));
  return thought + ['content', 'refusal', 'tool_calls', 'function_call'].map(said).reduce(sum);
}

/** Texts in a list of parts, as Mistral's, or in calls. https://docs.mistral.ai/capabilities/reasoning */
const PART_TEXT = /"(?:text|thinking|arguments|input)":\s*"([^"\\]*(?:\\.[^"\\]*)*)"/g;

function textBytesOf(value: string): number {
  if (value.startsWith('"')) return textBytes(value.slice(1, -1));
  return [...value.matchAll(PART_TEXT)].map(([, inside = '']) => textBytes(inside)).reduce(sum, 0);
}

function sum(one: number, other: number): number {
  return one + other;
}

/** The member that is there and not null. */
function there(text: Buffer, members: Members, key: string): Member | undefined {
  const member = members.findLast((candidate) => candidate.key === key);
  return member && text[member.valueStart] !== N_OF_NULL ? member : undefined;
}

const N_OF_NULL = 0x6e;
