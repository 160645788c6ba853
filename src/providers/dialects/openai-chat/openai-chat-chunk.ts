import { scanObject } from '../../../json/scan.js';
import { type Members } from '../../../json/splice.js';
import { type Fields, isObject, listOf, membersOf } from '../../../json/values.js';
import { type RawEvent } from '../../provider.js';
import { jsonIn } from '../broken-event.js';
import { FAILURES } from './openai-chat-error.js';

/** A chunk of a stream: what it says, and where in its text that stands. */
export interface Chunk {
  readonly text: Buffer;
  readonly members: Members;
  readonly value: Fields;
  readonly choices: readonly ChunkChoice[];
}

/** What a chunk adds to one of the answers. */
interface ChunkChoice {
  /** Which of several answers. */
  readonly index: unknown;
  readonly outputBytes: number;
  readonly isFinished: boolean;
  /** Moonshot tells it here. */
  readonly hasUsage: boolean;
  /** OpenRouter tells here what its own upstream said, Mistral only that it failed. */
  readonly hasError: boolean;
}

/** Undefined for what is no JSON object. */
export function chunkIn(event: RawEvent): Chunk | undefined {
  const value = jsonIn(event);
  if (!isObject(value)) return undefined;
  const text = Buffer.from(event.data);
  const members = scanObject(text);
  return members && { text, members, value, choices: listOf(value.choices).map(choiceOf) };
}

/** The text of a chunk's member that is there and not null. */
export function memberText({ text, members, value }: Chunk, key: string): string | undefined {
  if (!isThere(value[key])) return undefined;
  const member = members.findLast((candidate) => candidate.key === key);
  return member && text.toString('utf8', member.valueStart, member.end);
}

function choiceOf(choice: unknown): ChunkChoice {
  const { index, delta, finish_reason: reason, usage, error } = membersOf(choice);
  return {
    index: index ?? 0,
    // Perplexity repeats the whole text in a `message` beside it.
    outputBytes: saidIn(membersOf(delta)),
    // Some send an empty reason until there is one.
    isFinished: isThere(reason) && reason !== '',
    hasUsage: isThere(usage),
    hasError: isThere(error) || FAILURES.has(reason),
  };
}

/** How much a delta says, whatever it calls that; of two names for the thinking one is a copy. */
function saidIn(delta: Fields): number {
  const thought = Math.max(bytesOf(delta.reasoning_content), bytesOf(delta.reasoning));
  const { content, refusal, tool_calls: calls, function_call: call } = delta;
  return thought + bytesOf(content) + bytesOf(refusal) + bytesOf(calls) + bytesOf(call);
}

/** Texts in a list of parts, as Mistral's, or in calls. https://docs.mistral.ai/capabilities/reasoning */
const PART_TEXTS = new Set(['text', 'thinking', 'arguments', 'input']);

/** Not by recursion, which throws where something nests too deep. */
function bytesOf(said: unknown): number {
  if (typeof said === 'string') return Buffer.byteLength(said);
  let bytes = 0;
  const left = [said];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (typeof value !== 'string') left.push(value);
      else if (PART_TEXTS.has(name)) bytes += Buffer.byteLength(value);
    }
  }
  return bytes;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
