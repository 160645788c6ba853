import { invalidValue } from '../http/parameter-error.js';
import { boundedJson, listOf } from '../json/values.js';

const NUMBERS = new Set(['n', 'output_compression', 'partial_images']);
const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);
/** Objects of the JSON body, which a form may also have as JSON; their members are texts. */
const OBJECTS = new Set(['metadata', 'extra_headers', 'routing']);
const OPTIONAL_TEXTS = ['size', 'quality', 'response_format', 'user'];
/** Texts of the JSON body, whatever they look like. */
const TEXTS = new Set(['model', 'prompt', ...OPTIONAL_TEXTS]);
/** Known fields that an empty part leaves out. */
const OPTIONAL = new Set([...OPTIONAL_TEXTS, 'stream', ...NUMBERS, ...OBJECTS]);
/** Members of the JSON body that a form has as files. */
const FILES = new Set(['images', 'mask']);

/** The members of an object that has not all of them yet. */
type Members = Map<string, unknown>;

/**
 * The text parts of a form, brought to the types that the JSON body has: `object[key]` and `list[]`, which
 * clients make of objects and lists, are these again, and a number or a flag that nobody here has heard of is
 * one again. Where they leave as a form, they are written as they came, but that 1.0 is 1.
 */
export class FormFields {
  private readonly body: Members = new Map();

  /** @throws GatewayError 400 for a field that is sent twice, or is no text in UTF-8. */
  add(name: string, text: string): void {
    if (text.includes('\ufffd')) throw invalidValue(name, 'the text is not valid UTF-8');
    const { base, steps, isList } = pathOf(name);
    if (FILES.has(base)) throw invalidValue(name, 'send the files themselves as image[] and mask');
    const path = [base, ...steps];
    const key = path.pop() ?? base;
    const members = path.reduce((outer, step) => membersAt(outer, step, name), this.body);
    const seen = members.get(key);
    const isGoingOn = isList && Array.isArray(seen);
    if (members.has(key) && !isGoingOn) throw invalidValue(name, 'it was sent twice');
    if (text === '' && OPTIONAL.has(name)) return;
    const value = typed(name, base, text);
    members.set(key, isList ? [...listOf(seen), value] : value);
  }

  /** A key such as `__proto__` is a key like any other. */
  asBody(): Record<string, unknown> {
    return asObject(this.body);
  }
}

/** `object[key][key]` cut at its brackets, and `list[]`. Any other name is a whole, a list of objects too. */
function pathOf(name: string): { base: string; steps: readonly string[]; isList: boolean } {
  const [, base = name, keys = '', list] = /^([^[\]]+)((?:\[[^[\]]+\])*)(\[\])?$/.exec(name) ?? [];
  const steps = [...keys.matchAll(/\[(.*?)\]/g)].map(([, key = '']) => key);
  return { base, steps, isList: list !== undefined };
}

function membersAt(outer: Members, key: string, name: string): Members {
  const inner = outer.get(key) ?? new Map<string, unknown>();
  if (!(inner instanceof Map)) throw invalidValue(name, 'it was sent twice');
  outer.set(key, inner);
  return inner as Members;
}

function asObject(members: Members): Record<string, unknown> {
  return Object.fromEntries(
    [...members].map(([key, value]) => [
      key,
      value instanceof Map ? asObject(value as Members) : value,
    ]),
  );
}

/** What is not written as the type that it should have stays a text, which the body's check refuses. */
function typed(name: string, base: string, text: string): unknown {
  if (NUMBERS.has(name)) return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (name === 'stream') return FLAGS.get(text.toLowerCase()) ?? text;
  const object = OBJECTS.has(name) ? boundedJson(text) : undefined;
  if (object !== undefined) return object;
  if (OBJECTS.has(base) || TEXTS.has(base)) return text;
  return FLAGS.get(text) ?? (isNumber(text) && !WORDED.test(name) ? Number(text) : text);
}

/** Names of what is said in words, such as `negative_prompt` and `inPaintingParams[negativeText]`. */
const WORDED = /(?:prompt|text)(?:\]|\[\])*$/i;

/** As programs write numbers, so that nothing of them is lost; Python has 1.0 for 1. */
function isNumber(text: string): boolean {
  return String(Number(text)) === text.replace(/\.0$/, '') && Number.isFinite(Number(text));
}
