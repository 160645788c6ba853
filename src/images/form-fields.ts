import { invalidValue } from '../http/parameter-error.js';
import { boundedJson } from '../json/values.js';

const NUMBERS = new Set(['n', 'output_compression', 'partial_images']);
const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);
/** Objects of the JSON body, whose members a form sends as `metadata[key]`. */
const OBJECTS = new Set(['metadata', 'extra_headers', 'routing']);
/** Lists that images do not have; they are refused by their names, however the members are numbered. */
const PLANS = /^(fallbacks|router_candidates)\[.*\]$/;
/** Known texts that an empty part leaves out, as it does for numbers and flags. */
const OPTIONAL = new Set(['size', 'quality', 'response_format', 'user', 'stream', ...NUMBERS]);
/** Members of the JSON body that a form has as files. */
const FILES = new Set(['images', 'mask']);

/** The text parts of a form, brought to the types that the JSON body has. */
export class FormFields {
  private readonly values = new Map<string, unknown>();
  private readonly members = new Map<string, Map<string, string>>();
  private readonly lists = new Map<string, string[]>();

  /** @throws GatewayError 400 for a field that is sent twice, or is no text in UTF-8. */
  add(name: string, text: string): void {
    if (text.includes('\ufffd')) throw invalidValue(name, 'the text is not valid UTF-8');
    const [, object = '', key = ''] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? [];
    if (OBJECTS.has(object)) {
      const members = this.members.get(object) ?? new Map<string, string>();
      if (members.has(key) || this.values.has(object))
        throw invalidValue(name, 'it was sent twice');
      this.members.set(object, members.set(key, text));
      return;
    }
    const [, list] = PLANS.exec(name) ?? /^([^[\]]+)\[\]$/.exec(name) ?? [];
    const plain = list ?? name;
    if (FILES.has(plain)) throw invalidValue(name, 'send the files themselves as image[] and mask');
    if (list !== undefined && !this.values.has(list)) {
      this.lists.set(list, [...(this.lists.get(list) ?? []), text]);
      return;
    }
    const isTwice = [this.values, this.members, this.lists].some((seen) => seen.has(plain));
    if (isTwice) throw invalidValue(name, 'it was sent twice');
    if (text === '' && OPTIONAL.has(name)) return;
    this.values.set(name, typed(name, text));
  }

  /** A key such as `__proto__` is a key like any other. */
  asBody(): Record<string, unknown> {
    const objects = [...this.members].map(([name, members]): [string, unknown] => [
      name,
      Object.fromEntries(members),
    ]);
    return Object.fromEntries([...this.values, ...this.lists, ...objects]);
  }
}

/** What is not written as the type that it should have stays a text, which the body's check refuses. */
function typed(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (name === 'stream') return FLAGS.get(text.toLowerCase()) ?? text;
  const value = OBJECTS.has(name) ? boundedJson(text) : undefined;
  return value === undefined ? text : value;
}
