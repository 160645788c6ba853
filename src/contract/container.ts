import { type Fields, isObject, membersOf, textOf } from '../json/values.js';

/**
 * The computer that OpenAI has a tool work on, which is paid for by its memory.
 * https://developers.openai.com/api/docs/guides/tools-code-interpreter, …/tools-shell
 */
export interface Container {
  /** Of its memory; undefined for one that was made before, whose size the request does not tell. */
  readonly gigabytes: number | undefined;
  /** The field of the tool that says so. */
  readonly field: string;
  /** The item of an answer in which the tool was used. */
  readonly usedIn: string;
}

/** The container of a tool; undefined for a tool that has none, or the caller's own. */
export function containerOf({ type, container, environment }: Fields): Container | undefined {
  if (CODE_INTERPRETER.test(textOf(type))) {
    const isMade = isObject(container) || (container ?? null) === null;
    const gigabytes = isMade ? memoryOf(membersOf(container)) : undefined;
    return { gigabytes, field: 'container', usedIn: 'code_interpreter_call' };
  }
  const place = membersOf(environment);
  if (type !== 'shell' || !textOf(place.type).startsWith('container_')) return undefined;
  const gigabytes = place.type === 'container_auto' ? memoryOf(place) : undefined;
  return { gigabytes, field: 'environment', usedIn: 'shell_call' };
}

const CODE_INTERPRETER = /^code_interpreter(_\d{4}_\d\d_\d\d)?$/;

function memoryOf({ memory_limit: limit }: Fields): number {
  if ((limit ?? null) === null) return 1;
  const [, gigabytes] = /^(\d{1,3})g$/.exec(textOf(limit)) ?? [];
  return gigabytes === undefined ? MOST_GIGABYTES : Number(gigabytes);
}

const MOST_GIGABYTES = 64;
