import { type Fields, membersOf, textOf } from '../json/values.js';

/**
 * The computer that OpenAI has a tool work on, which is paid for by its memory.
 * https://developers.openai.com/api/docs/guides/tools-code-interpreter, …/tools-shell
 */
export interface Container {
  /** Of its memory; one that was made before is taken for one of the usual size, as nobody tells its own. */
  readonly gigabytes: number;
  /** The item of an answer in which the tool was used. */
  readonly usedIn: string;
}

/** The container of a tool; undefined for a tool that has none, or the caller's own. */
export function containerOf({ type, container, environment }: Fields): Container | undefined {
  if (CODE_INTERPRETER.test(textOf(type))) {
    return { gigabytes: memoryOf(membersOf(container)), usedIn: 'code_interpreter_call' };
  }
  const place = membersOf(environment);
  if (type !== 'shell' || !textOf(place.type).startsWith('container_')) return undefined;
  return { gigabytes: memoryOf(place), usedIn: 'shell_call' };
}

const CODE_INTERPRETER = /^code_interpreter(_\d{4}_\d\d_\d\d)?$/;

function memoryOf({ memory_limit: limit }: Fields): number {
  if ((limit ?? null) === null) return USUAL_GIGABYTES;
  const [, gigabytes] = /^(\d{1,3})g$/.exec(textOf(limit)) ?? [];
  return gigabytes === undefined ? MOST_GIGABYTES : Number(gigabytes);
}

const USUAL_GIGABYTES = 1;
const MOST_GIGABYTES = 64;
