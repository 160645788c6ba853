/**
 * A tool's name as OpenAI takes it: 1 to 64 of `[a-zA-Z0-9_-]`. Another name is cleaned, cut and
 * given a hash of the whole, so that it is the same in every call and different tools stay so.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function wireToolName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  return `${name.replace(/[^\w-]/g, '_').slice(0, 64 - SUFFIX_LENGTH)}_${hash(name)}`;
}

/** The text, or its beginning and a hash of the whole where it is longer than the wire allows. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - SUFFIX_LENGTH)}_${hash(text)}`;
}

/** A user's id as OpenAI takes it, which coding agents make of account and session; undefined for none. */
export function wireUser(id: unknown): string | undefined {
  return typeof id === 'string' ? shortened(id, 64) : undefined;
}

/** The id itself where it is nine letters and digits, else nine that are the same for the same id. */
export function nineCharacters(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : `${hash(id)}${hash(`${id}+`).slice(-2)}`;
}

/** The underscore and the hash behind it. */
const SUFFIX_LENGTH = 8;

/** FNV-1a in 32 bits, as seven characters of `[0-9a-z]`. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(36).padStart(7, '0');
}
