/** A UUID in its canonical form, or why a text is none. */
export type UuidReading = { readonly uuid: string } | { readonly error: string };

/**
 * Reads a UUID as pydantic v2 does: with hyphens, also in braces or behind `urn:uuid:`, or as 32
 * digits without any; upper case or lower. The reasons are worded as in
 * https://docs.rs/uuid/latest/src/uuid/error.rs.html
 */
export function readUuid(text: string): UuidReading {
  const [, braced, urn] = WRAPPED.exec(text) ?? [];
  const inner = braced ?? urn ?? text;
  const digits =
    HYPHENATED.test(inner) || (inner === text && SIMPLE.test(text)) ? inner : undefined;
  if (digits === undefined) return { error: reasonAgainst(text) };
  const hex = digits.replaceAll('-', '').toLowerCase();
  return { uuid: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
}

const WRAPPED = /^(?:\{(.*)\}|urn:uuid:(.*))$/s;
const HYPHENATED = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const SIMPLE = /^[\da-f]{32}$/i;
const HYPHENATED_BYTES = 36;
/** Where the groups begin. */
const STARTS = [0, 9, 14, 19, 24] as const;
const LENGTHS = [8, 4, 4, 4, 12] as const;

function reasonAgainst(text: string): string {
  const [, braced, urn] = WRAPPED.exec(text) ?? [];
  const inner = braced ?? urn ?? text;
  // Bytes are counted, not characters; what is as long as it should be is read without what stands around it.
  if (inner !== text && Buffer.byteLength(inner) === HYPHENATED_BYTES) return reasonAgainst(inner);
  const offset = braced === undefined ? text.length - inner.length : 1;
  const wrong = /[^\da-f-]/iu.exec(inner);
  if (wrong) {
    const at = Buffer.byteLength(inner.slice(0, wrong.index)) + offset + 1;
    return `invalid character: found \`${wrong[0]}\` at ${at}`;
  }
  const hyphens = [...inner.matchAll(/-/g)].map(({ index }) => index);
  if (hyphens.length === 0 && inner === text) {
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  }
  if (hyphens.length !== 4) {
    return `invalid group count: expected 5, found ${hyphens.length + 1}`;
  }
  const ends = [...hyphens, text.length];
  const group = STARTS.findIndex((start, index) => ends[index] !== start + (LENGTHS[index] ?? 0));
  const place = group < 0 ? 4 : group;
  const found = (ends[place] ?? 0) - (STARTS[place] ?? 0);
  return `invalid group length in group ${place}: expected ${LENGTHS[place] ?? 0}, found ${found}`;
}
